#include "server/search/comparison.h"

#include <algorithm>
#include <utility>

#include "index/codec/packed_words.h"
#include "index/search/ranking.h"
#include "index/search/tier_search.h"
#include "morph/schemes/tiers.h"
#include "server/api/write/objects.h"

namespace akin::api {

namespace {

/// Whether a tier finds B under the bounds of a search for reuse.
bool finds(const TierQuery& tier, const Overlap& overlap, const MatchedWords& words) {
  const std::uint64_t least = least_overlap(tier.bound, tier.min_containment, overlap.a_features);
  return overlap.x >= least && (!tier.verified || is_reuse(words, tier));
}

}  // namespace

bool Comparison::is_found(std::uint64_t bound) const {
  return hit.tiers.empty() ? hit.overlap.x > bound : std::ranges::any_of(hit.tiers, &TierOverlap::found);
}

Result<Comparison> compare_texts(std::string_view a, std::string_view b, const Scheme& scheme,
                                 const std::shared_ptr<const Dictionary>& dictionary, Evidence evidence) {
  const bool reuse = finds_reuse(scheme);
  const Scheme& first = scheme.verifying_scheme();
  Comparison found;
  AKIN_TRY(found.a, extract_features(a, *dictionary, first));
  AKIN_TRY(found.b, extract_features(b, *dictionary, first));
  Hit& hit = found.hit;
  hit.overlap = overlap(found.a.hashes, found.b.hashes);
  hit.overlap.has_containment = first.has_containment();
  MatchedWords words;
  if (reuse || evidence == Evidence::aligned) {
    AKIN_TRY(WordSequence of_a, read_words(a, *dictionary));
    AKIN_TRY(const auto aligner, TextAligner::of(a, std::move(of_a), dictionary));
    AKIN_TRY(found.aligned, aligner->align(b, ChangeDetail::listed));
    AKIN_TRY(const PackedWords of_b, PackedWords::of(b, *dictionary));
    words = match_alone(*aligner, of_b);
    hit.words = words;
  }
  const bool aligns = evidence == Evidence::aligned || (reuse && evidence == Evidence::automatic);
  hit.passages =
      aligns && !found.aligned.passages.empty() ? found.aligned.passages : shared_passages(found.a, found.b);
  if (!aligns) found.aligned = {};
  if (!reuse) return found;
  for (const TierQuery& tier : reuse_tiers(scheme, true)) {
    const Scheme& own = *scheme.tiers()[tier.tier].scheme;
    Overlap shared = hit.overlap;
    if (tier.tier > 0) {
      AKIN_TRY(const FeatureSequence of_a, extract_features(a, *dictionary, own));
      AKIN_TRY(const FeatureSequence of_b, extract_features(b, *dictionary, own));
      shared = overlap(of_a.hashes, of_b.hashes);
      shared.has_containment = own.has_containment();
    }
    hit.tiers.push_back({tier.tier, shared, finds(tier, shared, words)});
  }
  return found;
}

json::Json comparison_object(const Comparison& found, const Scheme& scheme) {
  Json object = compare_object(found.a, found.b, scheme.verifying_scheme());
  if (!found.aligned.passages.empty()) add_alignment(object, found.aligned);
  if (found.hit.words) object["words"] = words_object(*found.hit.words);
  add_tiers(object, found.hit, scheme);
  return object;
}

}  // namespace akin::api
