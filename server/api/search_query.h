// The query of a search, as the API and the command line make it: what is searched in, under which bounds,
// and the features and words of a text or of a stored document.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection.h"
#include "index/text_aligner.h"
#include "index/tier_search.h"
#include "server/api/tier_options.h"

namespace akin::api {

/// Where the passages of an answer come from.
enum class Evidence {
  automatic,  ///< aligned in a search that alignment verifies, else features
  none,
  features,  ///< runs of shared features
  aligned,   ///< alignment of the texts; needs stored texts
};

/// Reads "true", "false", "features" or "aligned". Error: invalid_argument.
[[nodiscard]] Result<Evidence> parse_evidence(std::string_view text);

/// What the user has chosen; docs/api.md has the defaults of what is absent.
struct SearchChoices {
  std::vector<TierChoice> tiers;
  std::optional<std::uint64_t> bound;
  std::optional<double> min_containment;
  bool best_only = false;
  Evidence evidence = Evidence::automatic;
  std::optional<std::uint64_t> common_limit = {};  ///< at least 1
};

struct SearchQuery {
  std::uint64_t bound = 0;                     ///< X exceeds it, in the collection's own features
  double min_containment = 0.0;                ///< in the collection's own features
  FeatureSequence features;                    ///< empty if there are tiers
  std::vector<TierQuery> tiers;                ///< of a search in tiers
  bool aligns = false;                         ///< whether passages are aligned ones
  std::shared_ptr<const TextAligner> aligner;  ///< of the query's text; set if it is needed
  /// Features that more documents than this have are left out.
  std::optional<std::uint64_t> common_limit = {};
  /// The features left out, each occurrence counted: of each tier, or of the text if there are no tiers.
  std::vector<std::uint64_t> left_out = {};

  /// The features that the answer describes: those of the first tier, if there are tiers.
  [[nodiscard]] const FeatureSequence& reported() const {
    return tiers.empty() ? features : tiers.front().query;
  }
  [[nodiscard]] bool needs_aligner() const;
  /// The sum of `left_out`.
  [[nodiscard]] std::uint64_t all_left_out() const;
  /// Sets what an answer says of its query: `request.query`, a view of this, and the bounds.
  void describe(SearchRequest& request) const;
};

/// A query without features.
///
/// - With tiers, in these. A tier's bound is its own, else the search's, else 3; 0 if alignment verifies it,
///   or if only the best are wanted.
/// - Without tiers, bound, minimum containment and `best_only`: the search for reuse (reuse_tiers), if the
///   scheme finds passages; else X > 3.
/// - Else in the collection's own features, which are those of the first tier.
///
/// `keeps_texts`: without texts nothing is aligned. Errors: as tier_queries; unsupported (aligned evidence
/// without texts).
[[nodiscard]] Result<SearchQuery> plan_query(const Scheme& scheme, bool keeps_texts,
                                             const SearchChoices& choices);

/// Fills in the features of a text. Call it before a snapshot is opened, because an open snapshot prevents
/// the reuse of pages. Errors: as Collection::analyze_in.
[[nodiscard]] Result<void> analyze_query(SearchQuery& query, const Collection& collection,
                                         std::string_view text);

/// Fills in those of a document that the collection stores. Errors: as Snapshot::features_in and text.
[[nodiscard]] Result<void> read_query(SearchQuery& query, const Collection& collection,
                                      const Snapshot& snapshot, std::string_view id);

/// Leaves the features that `common_limit` excludes out of a query that is filled in; without a limit nothing
/// changes. `snapshot`: the one that is searched. Errors: as Snapshot::common_features.
[[nodiscard]] Result<void> leave_common_out(SearchQuery& query, const Snapshot& snapshot);

/// Leaves them out of the sizes of documents that find_similar found. They were ordered by the sizes with all
/// features. Reads the features of each document. Errors: as Snapshot::features_in.
[[nodiscard]] Result<void> leave_common_out(std::span<Hit> hits, const SearchQuery& query,
                                            const Snapshot& snapshot);

/// Searches one collection, in the query's tiers if there are any. `page`: limit, offset, evidence,
/// best_only, exclude and accept. Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> find_similar(const Snapshot& snapshot, const Scheme& scheme,
                                                const SearchQuery& query, SearchRequest page);

/// Why nothing was found and what would find more, in one sentence; empty if something was found or the query
/// could have found it.
[[nodiscard]] std::string nothing_found_hint(const SearchQuery& query, const SearchResult& result);

/// If there is a limit, sets "common" to {"limit","features"}, and for a search in tiers "tiers", an object
/// of numbers by tier: the features of the query that were left out. `scheme`: the collection's.
void add_common(Json& object, const SearchQuery& query, const Scheme& scheme);

/// Sets "hint" to it, unless it is empty.
void add_hint(Json& object, const SearchQuery& query, const SearchResult& result);

}  // namespace akin::api
