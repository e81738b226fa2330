// A search in several tiers of one collection: documents found in a strict tier come first, those found only
// in a looser one after them.
#pragma once

#include <vector>

#include "index/search/common_features.h"
#include "index/search/passage_bits.h"
#include "index/search/text_aligner.h"
#include "index/store/store.h"

namespace akin {

/// The query and bounds for one tier.
struct TierQuery {
  std::size_t tier = 0;  ///< its number in Scheme::tiers()
  FeatureSequence query;
  std::uint64_t bound = 3;       ///< a document is found if X > bound in this tier
  double min_containment = 0.0;  ///< and this containment in it
  /// And, if set, its text shares a passage with the query: see Scheme::finds_passages. Requires an aligner.
  bool verified = false;
  /// Verified: runs of so many words are found wherever they are (run_search.h), not only where seeds are
  /// shared, in a collection of at most kMostRunTexts bytes; 0: they are not looked for. Requires a query of
  /// at most kMostRunWords words.
  unsigned run = 0;
  double min_word_share = 0.0;  ///< verified: and this share of the words of either text is matched,
  double min_bits = 0.0;        ///< or one passage has so many bits (PassageBits),
  double min_rare_bits = 0.0;   ///< or so many in words that few works have (Works)
};

/// In a search for reuse, the smallest share of the query's features, beside the bound; and the smallest
/// share of the words of the shorter text that passages match, or the fewest bits of one passage, about
/// fifty words of prose, or twelve that few works have: two novels that share the notice of their publisher
/// are not similar.
inline constexpr double kReuseContainment = 0.005;
inline constexpr double kReuseWords = 0.004;
inline constexpr double kReuseBits = 500;
inline constexpr double kReuseRareBits = 70;

/// Whether a scheme has a tier that finds passages (Scheme::finds_passages).
[[nodiscard]] bool finds_reuse(const Scheme& scheme);

/// The tier whose seeds find runs of so many words: of those that miss none the one with fewest seeds, else
/// the one that misses fewest. Requires finds_reuse.
[[nodiscard]] std::size_t seed_tier(const Scheme& scheme, unsigned words);

/// The search for reuse, without features, in the tiers of features of such a scheme, X > 3 and
/// kReuseContainment, and in the tier of seeds that finds passages of `words` words: passages with
/// kReuseWords, kReuseBits or kReuseRareBits. Without texts passages cannot be aligned: X > 3 in every tier
/// then.
[[nodiscard]] std::vector<TierQuery> reuse_tiers(const Scheme& scheme, bool keeps_texts,
                                                 unsigned words = kPassageWords);

struct TieredRequest {
  std::vector<TierQuery> tiers;  ///< in the order in which they rank; at least one, each tier once
  /// Limit, offset, evidence, best_only, exclude and accept; its query, tier and bounds are ignored.
  SearchRequest page;
  /// The query's text: required if a tier is verified or `aligns`, and then a collection that keeps texts.
  const TextAligner* aligner = nullptr;
  bool aligns = false;  ///< whether the evidence is aligned
  /// Set: features that more documents have, or fewer (search_beside), bring no document into the answer,
  /// which says how many documents have them (SearchResult::common). If they are more than nine in ten of a
  /// verified tier's, those documents with the largest X are aligned that the page has room for, and nothing
  /// is counted. Requires a verified tier.
  std::optional<std::uint64_t> common_above = {};
};

/// Whether alignment confirms what a verified tier found: some words are matched, and enough of either text
/// or improbable ones.
[[nodiscard]] bool is_reuse(const MatchedWords& words, const TierQuery& tier) noexcept;

/// The words that a text shares with one that is compared with it alone: their bits and rare bits are counted
/// as if no other document had them.
[[nodiscard]] MatchedWords match_alone(const TextAligner& aligner, const PackedWords& b);

/// Also sets the hit's passages. Errors: as Snapshot::text and WordCache::words.
[[nodiscard]] Result<void> align_hit(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit);

/// The overlap of the first tier that found a hit. Requires a hit of search_tiers.
[[nodiscard]] const TierOverlap& first_that_found(const Hit& hit) noexcept;

/// Finds the documents that at least one of the tiers finds: SearchResult::total counts each document once,
/// however many tiers find it. Hits are ordered by the first of the tiers that finds them, then as in every
/// search; overlap and passages are that tier's, and Hit::tiers lists all of them. Those that only a verified
/// tier finds are ordered by their matched words, most first; words that many of them match count less
/// (PassageBits::rare_words). If the query has fewer than kPassageWords words, those with the most improbable
/// run come first (RunBits), and of equal ones those with the longest. `scheme`: the collection's, with
/// tiers.
///
/// Costs one search in each tier, and reading the records and sequences of the page, or aligning its texts;
/// in a verified tier also matching the words of all that it finds, however many, whose texts are read unless
/// WordCache has their words.
/// With `page.best_only` only the best are searched for, and a later tier only if the earlier ones do not
/// fill the page. Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> search_tiers(const Snapshot& snapshot, const Scheme& scheme,
                                                const TieredRequest& request);

}  // namespace akin
