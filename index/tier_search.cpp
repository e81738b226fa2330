#include "index/tier_search.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/ranking.h"
#include "index/shared_features.h"
#include "index/word_cache.h"

namespace akin {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

SearchRequest request_in(const TierQuery& tier, const SearchRequest& page) {
  SearchRequest request = page;
  request.query = &tier.query;
  request.tier = tier.tier;
  request.bound = tier.bound;
  request.min_containment = tier.min_containment;
  request.offset = 0;
  request.evidence = false;
  return request;
}

struct Found {
  Hit hit;
  std::size_t by = 0;  ///< index of the first tier that found it
};

bool is_verified(const Hit& hit, const TierQuery& tier) { return hit.words && is_reuse(*hit.words, tier); }

/// Keeps the hits whose texts share enough with the query, most matched words first.
Result<void> keep_verified(const Snapshot& snapshot, const TextAligner& aligner, const TierQuery& tier,
                           SearchResult& own) {
  for (Hit& hit : own.hits) AKIN_CHECK(match_hit(snapshot, aligner, hit));
  std::erase_if(own.hits, [&](const Hit& hit) { return !is_verified(hit, tier); });
  std::ranges::stable_sort(own.hits, std::ranges::greater(), [](const Hit& hit) { return hit.words->a; });
  return {};
}

/// Gives the words that were matched in documents to their hits of earlier tiers.
void take_over_words(const std::vector<Hit>& matched, std::vector<Found>& found) {
  std::unordered_map<std::uint64_t, const Hit*> by_number;
  for (const Hit& hit : matched) by_number.emplace(hit.number, &hit);
  for (Found& earlier : found) {
    const auto same = by_number.find(earlier.hit.number);
    if (same != by_number.end()) earlier.hit.words = same->second->words;
  }
}

/// X in every requested tier, and the passages of the one that found the hit.
Result<void> describe_tiers(Hit& hit, std::size_t found_by, const TieredRequest& request,
                            const std::pair<const Snapshot&, const Scheme&>& collection) {
  const auto& [snapshot, scheme] = collection;
  std::optional<std::vector<Passage>> evidence;
  for (std::size_t i = 0; i < request.tiers.size(); ++i) {
    const TierQuery& tier = request.tiers[i];
    Overlap overlap = hit.overlap;
    if (i != found_by) {
      AKIN_TRY(overlap, overlap_in(snapshot, hit.document.id, tier.tier, tier.query.hashes));
    } else if (request.page.evidence && !request.aligns) {
      AKIN_TRY(const FeatureSequence stored,
               features_beside(snapshot, hit.document.id, tier.tier, tier.query));
      evidence = shared_passages(tier.query, stored);
    }
    overlap.has_containment = scheme.tiers()[tier.tier].scheme->has_containment();
    const std::uint64_t least = least_overlap(tier.bound, tier.min_containment, tier.query.hashes.size());
    const bool verified = !tier.verified || is_verified(hit, tier);
    hit.tiers.push_back({tier.tier, overlap, overlap.x >= least && verified});
  }
  if (evidence) {
    hit.passages = *std::move(evidence);
    hit.words.reset();
  }
  return {};
}

}  // namespace

bool finds_reuse(const Scheme& scheme) {
  return std::ranges::any_of(scheme.tiers(), [](const Tier& tier) { return tier.scheme->finds_passages(); });
}

std::vector<TierQuery> reuse_tiers(const Scheme& scheme, bool keeps_texts) {
  std::vector<TierQuery> tiers;
  for (std::size_t number = 0; number < scheme.tiers().size(); ++number) {
    const Scheme& own = *scheme.tiers()[number].scheme;
    TierQuery tier{.tier = number, .query = {}};
    tier.verified = own.finds_passages() && keeps_texts;
    if (tier.verified) {
      tier.bound = 0;
      tier.min_words = kReuseWords;
    } else if (own.has_containment()) {
      tier.min_containment = kReuseContainment;
    }
    tiers.push_back(std::move(tier));
  }
  return tiers;
}

bool is_reuse(const MatchedWords& words, const TierQuery& tier) noexcept {
  return words.a > 0 && words.larger_share() >= tier.min_words;
}

Result<void> match_hit(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit) {
  AKIN_TRY(const auto words, WordCache::of_process().words(snapshot, hit.document, aligner.dictionary()));
  hit.words = aligner.match(*words);
  return {};
}

Result<void> align_hit(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit) {
  AKIN_TRY(StoredText text, snapshot.open_text(hit.document.id));
  AKIN_TRY(const auto words,
           WordCache::of_process().words(snapshot, hit.document, text, aligner.dictionary()));
  AKIN_TRY(AlignedText aligned, aligner.align(text, *words));
  hit.passages = std::move(aligned.passages);
  hit.words = aligned.words;
  return {};
}

const TierOverlap& first_that_found(const Hit& hit) noexcept {
  return *std::ranges::find(hit.tiers, true, &TierOverlap::found);
}

Result<SearchResult> search_tiers(const Snapshot& snapshot, const Scheme& scheme,
                                  const TieredRequest& request) {
  const SearchRequest& page = request.page;
  const std::uint64_t wanted = wanted_hits(page);
  SearchResult result;
  result.counted = !page.best_only;
  std::unordered_set<std::uint64_t> known;
  std::vector<Found> found;  // only as many as the page needs
  for (std::size_t i = 0; i < request.tiers.size(); ++i) {
    if (page.best_only && found.size() >= wanted) break;
    SearchRequest in_tier = request_in(request.tiers[i], page);
    SearchResult own;
    if (request.tiers[i].verified) {
      in_tier.limit = kMaxAligned;
      AKIN_TRY(own, snapshot.search(in_tier));
      result.alignable += own.total;
      result.aligned += own.hits.size();
      AKIN_CHECK(keep_verified(snapshot, *request.aligner, request.tiers[i], own));
      result.tier_totals.push_back(own.hits.size());
      take_over_words(own.hits, found);
      std::erase_if(own.hits, [&](const Hit& hit) { return !known.insert(hit.number).second; });
      own.total = own.hits.size();
    } else {
      in_tier.known = &known;
      in_tier.limit = wanted - found.size();
      // The best are chosen before the known ones are left out.
      if (page.best_only) in_tier.limit = wanted < kAll - known.size() ? wanted + known.size() : kAll;
      AKIN_TRY(own, snapshot.search(in_tier));
      result.tier_totals.push_back(own.total + own.known);
    }
    result.total += own.total;
    for (Hit& hit : own.hits) {
      if (found.size() < wanted) found.push_back({std::move(hit), i});
    }
  }
  for (std::uint64_t at = page.offset; at < std::min<std::uint64_t>(wanted, found.size()); ++at) {
    auto& [hit, found_by] = found[at];
    AKIN_CHECK(describe_tiers(hit, found_by, request, {snapshot, scheme}));
    if (page.evidence && request.aligns) AKIN_CHECK(align_hit(snapshot, *request.aligner, hit));
    result.hits.push_back(std::move(hit));
  }
  return result;
}

}  // namespace akin
