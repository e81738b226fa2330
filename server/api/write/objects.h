// The API's JSON objects. HTTP answers and the command line's --json are made here and nowhere else.
//
// Conventions: ranges are [begin, end), half-open, in Unicode code points of the original text; hashes are
// strings of 16 hex digits; `a` is the query (or the first text), `b` the stored document (or the second).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/collection/collection.h"
#include "index/collection/scrub.h"
#include "index/search/tier_search.h"
#include "server/json/json.h"
#include "server/json/passages.h"
#include "server/tasks/tasks.h"

namespace akin::api {

using json::Json;
using json::passages_array;
using json::range_array;
using json::time_or_null;

/// {"id","type","collection","parameters","status","progress","documents","bytes","created","started",
///  "finished","error","result_lines"}; times are in RFC 3339 format, in UTC, null for events that have not
/// happened; `result_lines` is present only if the task is done.
[[nodiscard]] Json task_object(const tasks::TaskInfo& task);

/// {"code","detail","what","reason","remedy"}; `detail` is `what`, `reason` and `remedy` in one sentence. Of
/// `unavailable` only the code is the error's: its reason names hosts, which are nobody's business but the
/// operator's; nor are paths of the server, which errors of its files and of damage lose here.
[[nodiscard]] Json error_object(const Error& error);
/// The same with everything that the error says, for the operator.
[[nodiscard]] Json full_error_object(const Error& error);

/// {"id","title","metadata","text_bytes","code_points","sentences","features","stored"}, and
/// {"text_sha256","file_sha256"} if they are known; metadata is the stored object, {} if there is none;
/// stored is the time of storing, in RFC 3339 format.
[[nodiscard]] Json document_object(const DocumentRecord& document);

/// {"kind": "zero_width"|"mixed_script"|…, "range": [b,e]}, one for each alert.
[[nodiscard]] Json alerts_array(const std::vector<Alert>& alerts);

/// Sets "containment", "contained", "resemblance" and "sorensen"; the first two to null if the overlap has
/// no containment.
void add_measures(Json& object, const Overlap& overlap);

/// {"a","b","a_share","b_share"}: the matched words of either text, and their share of all its words.
[[nodiscard]] Json words_object(const MatchedWords& words);

/// {"id","title","x","features","containment","contained","resemblance","sorensen","passages"}; if the
/// passages are aligned, also "words".
[[nodiscard]] Json hit_object(const Hit& hit, bool with_passages);

/// {"query":{"sentences","features","code_points","alerts"},"bound","min_containment","limit","total"}
/// `total` is null if it was not counted. `scheme`: the collection's; `tiers`: the searched ones.
///
/// If the scheme only generates candidates, also "nomination":{"by","judged_by","candidates"}: the scheme,
/// the scheme that verifies them, and the number of candidates that were verified.
///
/// For a search in tiers, also "tiers":[{"tier","bound","min_containment","verified","features","total"}]:
/// the conditions of each tier, |A| in it, and the number of documents it found, null if they were not
/// counted; and if alignment verifies a tier, "alignment":{"candidates","aligned"}: the documents over its
/// bound, and how many of them were aligned; and of common text "common_text":
/// {"limit","words","documents","listed"}, see CommonText.
[[nodiscard]] Json search_head(const SearchRequest& request, const SearchResult& result, const Scheme& scheme,
                               std::span<const TierQuery> tiers);

/// For a hit of a search in tiers, sets "tier", the first tier that found it (null if none did), and "tiers",
/// the overlap in each tier and whether it satisfies the tier's conditions:
/// {"tier","found","x","features","containment","contained","resemblance","sorensen"}.
void add_tiers(Json& object, const Hit& hit, const Scheme& scheme);

/// {"x","a":{"features","sentences"},"b":{…},"containment","contained","resemblance","sorensen","passages"}
/// `scheme`: the scheme of the features.
[[nodiscard]] Json compare_object(const FeatureSequence& a, const FeatureSequence& b, const Scheme& scheme);

/// Replaces the passages of a compare_object, and adds "words".
void add_alignment(Json& object, const AlignedText& aligned);

/// {"a","b","x","containment","contained","resemblance"}; with PairsRequest::reuse also "words"
[[nodiscard]] Json pair_object(const DocumentPair& pair);

/// {"size","ids":[…]}
[[nodiscard]] Json group_object(const std::vector<std::string>& ids);

/// {"scheme","sentences":[{"range","words":[{"text","class","hash"}]}],"features":[{"hash","range"}],"alerts"}
[[nodiscard]] Result<Json> features_object(std::string_view text, const Dictionary& dictionary,
                                           const Scheme& scheme);

/// {"name","scheme","store_text","languages","fingerprint","documents","features","postings",
///  "recent_postings","runs","text_bytes","text_stored_bytes","disk_bytes","expires","dictionaries"};
///  `expires` is null for a permanent collection. With "file_bytes","file_stored_bytes" if it counts the
///  files that it keeps.
[[nodiscard]] Json collection_object(std::string_view name, const StoreIdentity& identity,
                                     const StoreStats& stats, const std::optional<Time>& expires,
                                     const std::optional<std::string>& configured);

/// {"ended","bytes","findings"}, with findings also "first": {"where","broken"}.
[[nodiscard]] Json scrub_object(const ScrubPass& pass);

/// {"fingerprint","lemmas","forms","classes","largest_class","largest_class_forms","table_bytes","cache_file",
///  "sources":[{"language","aff","dic","supplements","lemmas","forms","compounds"}]}, and if synonyms are
/// configured "synonyms":{"files","groups","classes","largest","unknown","fingerprint"}
[[nodiscard]] Json dictionary_object(const Dictionary& dictionary);

/// {"word","folded","known","lemmas":[…],"class","hash"}, and if synonyms are configured "counts_as" and
/// "synonym_hash"
[[nodiscard]] Json word_object(const Dictionary& dictionary, std::string_view word);

}  // namespace akin::api
