#include "index/search/tier_search.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/waiting.h"
#include "index/search/common_features.h"
#include "index/search/ranking.h"
#include "index/search/run_search.h"
#include "index/search/stored_matches.h"
#include "index/search/verified_hits.h"

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

/// Gives the words that were matched in documents to their hits of earlier tiers.
void take_over_words(const std::vector<Hit>& matched, std::vector<Found>& found) {
  std::unordered_map<std::uint64_t, const Hit*> by_number;
  for (const Hit& hit : matched) by_number.emplace(hit.document.number, &hit);
  for (Found& earlier : found) {
    const auto same = by_number.find(earlier.hit.document.number);
    if (same != by_number.end()) earlier.hit.words = same->second->words;
  }
}

/// Matches the words of hits that were not.
Result<void> match_all(const Snapshot& snapshot, const TextAligner& aligner, std::vector<Found>& found) {
  StoredMatcher matcher(snapshot, aligner);
  for (Found& one : found) {
    if (!one.hit.words) AKIN_CHECK(matcher.match(one.hit));
  }
  return {};
}

/// The features of a tier that are set aside.
struct SetAside {
  CommonSeeds common;
  bool nearly_all = false;

  /// `in_tier`: the search that follows.
  static Result<SetAside> of(const Snapshot& snapshot, const TieredRequest& request, const TierQuery& tier,
                             SearchRequest in_tier) {
    SetAside aside;
    if (!request.common_above) return aside;
    aside.common.limit = *request.common_above;
    std::vector<Feature> slight;
    if (!tier.verified) slight = request.aligner->slight_features(tier.query);
    in_tier.common = &slight;
    snapshot.expect(in_tier);
    AKIN_TRY(aside.common.features,
             CommonFeatures(snapshot, aside.common.limit).common_of(tier.query.hashes));
    aside.count(tier);
    aside.add(slight);
    return aside;
  }
  /// Whether they are nearly all of the tier.
  void count(const TierQuery& tier) {
    const auto places = std::ranges::count_if(tier.query.hashes, [&](Feature feature) {
      return std::ranges::binary_search(common.features, feature);
    });
    nearly_all = 10 * static_cast<std::uint64_t>(places) > 9 * tier.query.hashes.size();
  }

 private:
  void add(const std::vector<Feature>& more) {
    std::vector<Feature> all;
    std::ranges::set_union(common.features, more, std::back_inserter(all));
    common.features = std::move(all);
  }
};

/// What a verified tier finds: of a text that is nearly all common the best that the page has room for.
Result<SearchResult> find_candidates(const Snapshot& snapshot, const TieredRequest& request,
                                     const TierQuery& tier, SearchRequest in_tier, SetAside& aside) {
  if (tier.run == 0) in_tier.rules_out = without_passages(*request.aligner);
  if (!request.common_above) {
    in_tier.limit = kAll;
    return snapshot.search(in_tier);
  }
  if (!aside.nearly_all) {
    AKIN_TRY(SearchResult found, search_beside(aside.common, snapshot, in_tier));
    aside.count(tier);
    if (!aside.nearly_all) return found;
  }
  in_tier.limit = wanted_hits(request.page);
  in_tier.first_of_equal = true;
  return snapshot.search(in_tier);
}

/// Whether a tier's runs are looked for in all words, which they are not in a large collection.
Result<bool> reads_all_words(const Snapshot& snapshot, const TierQuery& tier, SearchResult& result) {
  if (tier.run == 0) return false;
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  result.by_seeds_alone = stats.text_bytes > kMostRunTexts;
  return !result.by_seeds_alone;
}

/// Adds the documents with runs that no seed need lie in, and says what of the query too many have.
Result<void> add_runs(const Snapshot& snapshot, const TieredRequest& request, const TierQuery& tier,
                      SearchResult& own, SearchResult& result) {
  const std::uint64_t wanted = wanted_hits(request.page);
  std::optional<std::uint64_t> most;
  if (request.common_above) most = std::max(*request.common_above, wanted);
  AKIN_TRY(RunsFound runs, find_runs(snapshot, *request.aligner, {request.page, tier.run, most}));
  if (most && runs.total > *most) {
    result.counted = false;
    result.common = CommonText{*most, runs.common, runs.total, true};
  }
  std::unordered_set<std::uint64_t> numbers;
  for (const Hit& hit : own.hits) numbers.insert(hit.document.number);
  for (StoredDocument& document : runs.documents) {
    if (!numbers.insert(document.number).second) continue;
    own.hits.emplace_back().document = std::move(document);
    ++own.total;
  }
  return {};
}

/// How many documents have one of them.
Result<std::uint64_t> count_with(const Snapshot& snapshot, const TierQuery& tier, const SetAside& aside) {
  FeatureSequence features;
  features.hashes = aside.common.features;
  SearchRequest counting;
  counting.query = &features;
  counting.tier = tier.tier;
  counting.bound = 0;
  counting.limit = 0;
  counting.common = &aside.common.features;
  AKIN_TRY(const SearchResult counted, snapshot.search(counting));
  return counted.with_common;
}

/// X in every requested tier, and the passages of the one that found the hit.
Result<void> describe_tiers(Hit& hit, std::size_t found_by, const TieredRequest& request,
                            const std::pair<const Snapshot&, const Scheme&>& collection) {
  const auto& [snapshot, scheme] = collection;
  std::optional<std::vector<Passage>> evidence;
  for (std::size_t i = 0; i < request.tiers.size(); ++i) {
    const TierQuery& tier = request.tiers[i];
    Overlap overlap = hit.overlap;
    if (i != found_by || tier.run > 0) {
      AKIN_TRY(overlap, snapshot.overlap_in(hit.document, tier.tier, tier.query.hashes));
    }
    if (i == found_by && request.page.evidence && !request.aligns) {
      AKIN_TRY(const FeatureSequence stored, snapshot.features_beside(hit.document, tier.tier, tier.query));
      evidence = shared_passages(tier.query, stored);
    }
    if (i == found_by) hit.overlap = overlap;
    overlap.has_containment = scheme.tiers()[tier.tier].scheme->has_containment();
    const std::uint64_t least = least_overlap(tier.bound, tier.min_containment, tier.query.hashes.size());
    const bool verified = !tier.verified || is_verified(hit, tier);
    hit.tiers.push_back({tier.tier, overlap, (overlap.x >= least || tier.run > 0) && verified});
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

std::size_t seed_tier(const Scheme& scheme, unsigned words) {
  std::optional<std::size_t> chosen;
  unsigned least = 0;
  for (std::size_t number = 0; number < scheme.tiers().size(); ++number) {
    const unsigned run = scheme.tiers()[number].scheme->least_run();
    if (run == 0) continue;
    const bool better = run <= words ? least > words || run > least : run < least;
    if (chosen && !better) continue;
    chosen = number;
    least = run;
  }
  return chosen.value();
}

std::vector<TierQuery> reuse_tiers(const Scheme& scheme, bool keeps_texts, unsigned words) {
  std::vector<TierQuery> tiers;
  const std::size_t seeds = seed_tier(scheme, words);
  for (std::size_t number = 0; number < scheme.tiers().size(); ++number) {
    const Scheme& own = *scheme.tiers()[number].scheme;
    if (own.finds_passages() && number != seeds) continue;
    TierQuery tier{.tier = number, .query = {}};
    tier.verified = own.finds_passages() && keeps_texts;
    if (tier.verified) {
      tier.bound = 0;
      tier.min_word_share = kReuseWords;
      tier.min_bits = kReuseBits;
      tier.min_rare_bits = kReuseRareBits;
    } else if (own.has_containment()) {
      tier.min_containment = kReuseContainment;
    }
    tiers.push_back(std::move(tier));
  }
  return tiers;
}

bool is_reuse(const MatchedWords& words, const TierQuery& tier) noexcept {
  if (words.a == 0) return false;
  return words.larger_share() >= tier.min_word_share || (tier.min_bits > 0 && words.bits >= tier.min_bits) ||
         (tier.min_rare_bits > 0 && words.rare_bits >= tier.min_rare_bits);
}

MatchedWords match_alone(const TextAligner& aligner, const PackedWords& b) {
  TextMatch match = aligner.match(b);
  PassageBits bits(aligner.classes(), aligner.weights());
  const PassageBits::Passages passages = match.passages();
  bits.add(passages);
  match.words.bits = match.words.rare_bits = bits.most(passages);
  return match.words;
}

Result<void> align_hit(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit) {
  return show_match(snapshot, aligner, hit, nullptr);
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
  KeptMatches matches;
  for (std::size_t i = 0; i < request.tiers.size(); ++i) {
    if (page.best_only && found.size() >= wanted) break;
    const TierQuery& tier = request.tiers[i];
    SearchRequest in_tier = request_in(tier, page);
    if (i + 1 < request.tiers.size()) in_tier.next = &request.tiers[i + 1].query;
    SearchResult own;
    AKIN_TRY(const bool reads_all, reads_all_words(snapshot, tier, result));
    // Of so short a text each passage is a run.
    const bool by_runs_alone = reads_all && request.aligner->words() < kPassageWords;
    SetAside aside;
    if (!by_runs_alone) {
      AKIN_TRY(aside, SetAside::of(snapshot, request, tier, in_tier));
    }
    const std::vector<Feature>& common = aside.common.features;
    if (tier.verified) {
      if (!by_runs_alone) {
        AKIN_TRY(own, find_candidates(snapshot, request, tier, in_tier, aside));
      }
      result.counted = result.counted && !aside.nearly_all;
      if (!common.empty()) {
        result.common =
            CommonText{aside.common.limit, request.aligner->words_in(common_stretches(tier.query, common)),
                       own.with_common, aside.nearly_all};
      }
      if (aside.nearly_all) {
        AKIN_TRY(result.common->documents, count_with(snapshot, tier, aside));
      }
      if (reads_all) AKIN_CHECK(add_runs(snapshot, request, tier, own, result));
      result.alignable += own.total;
      result.aligned += own.hits.size() + own.ruled_out;
      AKIN_CHECK(keep_verified(snapshot, request, tier, known, own.hits, matches, result.common));
      result.tier_totals.push_back(own.hits.size());
      take_over_words(own.hits, found);
      if (aside.nearly_all) AKIN_CHECK(match_all(snapshot, *request.aligner, found));
      std::erase_if(own.hits, [&](const Hit& hit) { return !known.insert(hit.document.number).second; });
      own.total = own.hits.size();
    } else {
      if (!aside.nearly_all) in_tier.common = &common;
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
    AKIN_CHECK(check_work());
    AKIN_CHECK(describe_tiers(hit, found_by, request, {snapshot, scheme}));
    if (shows_alignment(request))
      AKIN_CHECK(show_match(snapshot, *request.aligner, hit, matches.take(hit.document.number)));
    result.hits.push_back(std::move(hit));
  }
  return result;
}

}  // namespace akin
