// A search in one collection: from the question to the plan (what is searched in, under which bounds, and the
// features and words of the text or of the stored document) to what was found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/collection.h"
#include "index/search/text_aligner.h"
#include "index/search/tier_search.h"
#include "server/search/question.h"

namespace akin::api {

struct SearchPlan {
  std::uint64_t bound = 0;             ///< X exceeds it, in the collection's own features
  double min_containment = 0.0;        ///< in the collection's own features
  FeatureSequence features;            ///< empty if there are tiers
  std::vector<TierQuery> tiers;        ///< of a search in tiers
  unsigned min_words = kPassageWords;  ///< of a passage
  /// Seeds find all passages of an exact run of so many words; 0: none is looked for.
  unsigned sure_words = 0;
  bool reuse = false;  ///< whether this is the search for reuse
  /// Whether a text of fewer words than `min_words` is searched for passages of kLeastPassageWords.
  bool adapts = false;
  bool filtered = false;                       ///< whether Question::accept leaves documents out
  bool generates_candidates = false;           ///< Scheme::generates_candidates
  bool aligns = false;                         ///< whether passages are aligned ones
  std::shared_ptr<const TextAligner> aligner;  ///< of the query's text; set if it is needed
  /// Features that more documents than this have are left out.
  std::optional<std::uint64_t> common_limit = {};
  /// See TieredRequest. Set in a search for reuse without a `common_limit`.
  std::optional<std::uint64_t> common_above = {};
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

/// A plan without features.
///
/// - With tiers, in these. A tier's bound is its own, else the search's, else 3; 0 if alignment verifies it,
///   or if only the best are wanted.
/// - Without tiers, bound, minimum containment and `best_only`: the search for reuse (reuse_tiers), if the
///   scheme finds passages; else X > 3. If `min_words` is given, only in its tier of seeds, and every
///   document is found that shares a passage of so many words.
/// - Else in the collection's own features, which are those of the first tier.
///
/// `keeps_texts`: without texts nothing is aligned. Errors: invalid_argument (no such tier; `min_words` is
/// out of range, or nothing is aligned), unsupported (a minimum containment in a tier that has none; aligned
/// evidence without texts).
[[nodiscard]] Result<SearchPlan> plan_query(const Scheme& scheme, bool keeps_texts, const Question& question);

/// Fills in the features of a text. A plan that adapts to a text of fewer than kPassageWords words searches
/// for passages of kLeastPassageWords or more. Call it before a snapshot is opened, because an open snapshot
/// prevents the reuse of pages. Errors: as Collection::analyze_in.
[[nodiscard]] Result<void> analyze_query(SearchPlan& plan, const Collection& collection,
                                         std::string_view text);

/// Fills in those of a document that the collection stores. Errors: as Snapshot::features_in and text.
[[nodiscard]] Result<void> read_query(SearchPlan& plan, const Collection& collection,
                                      const Snapshot& snapshot, const StoredDocument& document);

/// Leaves the features that `common_limit` excludes out of a plan that is filled in; without a limit nothing
/// changes. `snapshot`: the one that is searched. Errors: as Snapshot::common_features.
[[nodiscard]] Result<void> leave_common_out(SearchPlan& plan, const Snapshot& snapshot);

/// Leaves them out of the sizes of documents that find_similar found. They were ordered by the sizes with all
/// features. Reads the features of each document. Errors: as Snapshot::features_in.
[[nodiscard]] Result<void> leave_common_out(std::span<Hit> hits, const SearchPlan& plan,
                                            const Snapshot& snapshot);

/// The question's limit, offset, evidence, best_only, accept and work; a stored document that is asked for is
/// excluded.
[[nodiscard]] SearchRequest page_of(const Question& question);

/// Searches one collection, in the plan's tiers if there are any. `page`: as page_of. Errors: as
/// Snapshot::search.
[[nodiscard]] Result<SearchResult> find_similar(const Snapshot& snapshot, const Scheme& scheme,
                                                const SearchPlan& plan, SearchRequest page);

struct Found {
  std::unique_ptr<Snapshot> snapshot;  ///< that was searched
  SearchPlan plan;
  SearchResult result;

  /// What an answer says of its query; a view of `plan`.
  [[nodiscard]] SearchRequest described(const Question& question) const;
};

/// The whole search in one collection. Errors: as plan_query, analyze_query, read_query and find_similar;
/// those of Question::work.
[[nodiscard]] Result<Found> search(const Collection& collection, const Question& question);

/// Why nothing was found, or not all, and what would find more, in one sentence; empty if all was found that
/// was looked for, or the query could have found it.
[[nodiscard]] std::string not_found_hint(const SearchPlan& plan, const SearchResult& result);

/// If there is a limit, sets "common" to {"limit","features"}, and for a search in tiers "tiers", an object
/// of numbers by tier: the features of the query that were left out. `scheme`: the collection's.
void add_common(Json& object, const SearchPlan& plan, const Scheme& scheme);

/// Sets "hint" to it, unless it is empty, and "passage_words" to the fewest words of a passage that was
/// looked for, if any was.
void add_hint(Json& object, const SearchPlan& plan, const SearchResult& result);

/// Sets "next", the cursor of the page after that of "results"; null on the last, and where not all are
/// counted.
void add_next(Json& object, const Question& question);

}  // namespace akin::api
