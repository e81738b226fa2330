// A search in several tiers of one collection: documents found in a strict tier come first, those found only
// in a looser one after them.
#pragma once

#include <vector>

#include "index/store.h"
#include "index/text_aligner.h"

namespace akin {

/// The query and bounds for one tier.
struct TierQuery {
  std::size_t tier = 0;  ///< its number in Scheme::tiers()
  FeatureSequence query;
  std::uint64_t bound = 3;       ///< a document is found if X > bound in this tier
  double min_containment = 0.0;  ///< and this containment in it
  /// And, if set, its text shares a passage with the query: see Scheme::finds_passages. Requires an aligner.
  bool verified = false;
  double min_words = 0.0;  ///< verified: and this share of the words of either text is matched
};

/// In a search for reuse, the smallest share of the query's features, beside the bound, and the smallest
/// share of the words of the shorter text that passages match: two novels that share a few stock sentences or
/// the notice of their publisher are not similar.
inline constexpr double kReuseContainment = 0.005;
inline constexpr double kReuseWords = 0.004;

/// Whether a scheme has a tier that finds passages (Scheme::finds_passages).
[[nodiscard]] bool finds_reuse(const Scheme& scheme);

/// The search for reuse, without features, in every tier of such a scheme: X > 3 and kReuseContainment in a
/// tier of features, or passages with kReuseWords. Without texts passages cannot be aligned: X > 3 then.
[[nodiscard]] std::vector<TierQuery> reuse_tiers(const Scheme& scheme, bool keeps_texts);

/// A search aligns no more documents than this: those with the largest X.
inline constexpr std::uint64_t kMaxAligned = 10'000;

struct TieredRequest {
  std::vector<TierQuery> tiers;  ///< in the order in which they rank; at least one, each tier once
  /// Limit, offset, evidence, best_only, exclude and accept; its query, tier and bounds are ignored.
  SearchRequest page;
  /// The query's text: required if a tier is verified or `aligns`, and then a collection that keeps texts.
  const TextAligner* aligner = nullptr;
  bool aligns = false;  ///< whether the evidence is aligned
};

/// Whether alignment confirms what a verified tier found: some words are matched, and enough of either text.
[[nodiscard]] bool is_reuse(const MatchedWords& words, const TierQuery& tier) noexcept;

/// Sets a hit's words to those that its stored text shares with a query. Errors: as WordCache::classes.
[[nodiscard]] Result<void> match_hit(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit);

/// Sets its passages, too. Errors: as Snapshot::text and WordCache::words.
[[nodiscard]] Result<void> align_hit(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit);

/// The overlap of the first tier that found a hit. Requires a hit of search_tiers.
[[nodiscard]] const TierOverlap& first_that_found(const Hit& hit) noexcept;

/// Finds the documents that at least one of the tiers finds: SearchResult::total counts each document once,
/// however many tiers find it. Hits are ordered by the first of the tiers that finds them, then as in every
/// search; overlap and passages are that tier's, and Hit::tiers lists all of them. Those that only a verified
/// tier finds are ordered by their matched words, most first. `scheme`: the collection's, with tiers.
///
/// Costs one search in each tier, and reading the records and sequences of the page, or aligning its texts;
/// in a verified tier also matching the words of all that it finds, whose texts are read unless WordCache has
/// their words.
/// With `page.best_only` only the best are searched for, and a later tier only if the earlier ones do not
/// fill the page. Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> search_tiers(const Snapshot& snapshot, const Scheme& scheme,
                                                const TieredRequest& request);

}  // namespace akin
