#include "server/check/compared.h"

#include <algorithm>

#include "server/check/ranges.h"

namespace akin::check {
namespace {

/// The place of the feature that starts here: no two features of a scheme have the same start.
std::size_t place_of(std::uint32_t start, const FeatureSequence& features) {
  const auto place = std::ranges::lower_bound(features.ranges, start, {}, &TextRange::begin);
  return static_cast<std::size_t>(place - features.ranges.begin());
}

}  // namespace

TextSeeds seeds_of(const std::vector<Compared>& compared) noexcept {
  TextSeeds seeds;
  for (const Compared& one : compared) {
    if (one.seed_shape == 0) continue;
    if (seeds.shape != 0) return {};
    seeds = {one.features.ranges, one.features.hashes, one.seed_shape};
  }
  return seeds;
}

FoundStretches stretches_of(const std::vector<Passage>& passages, const FeatureSequence& searched,
                            const FeatureSequence& compared) {
  FoundStretches found;
  for (const Passage& passage : passages) {
    if (passage.words > 0) {
      append_without(passage.a, passage.gaps, found.ranges);
      continue;
    }
    const auto first =
        searched.ranges.begin() + static_cast<std::ptrdiff_t>(place_of(passage.a.begin, searched));
    for (auto at = first; at != first + static_cast<std::ptrdiff_t>(passage.features); ++at) {
      found.ranges.push_back(*at);
      found.positions.push_back(place_of(at->begin, compared));
    }
  }
  return found;
}

std::uint64_t count_found(const Compared& compared, const Letters& rest, const Letters& outside,
                          std::vector<TextRange>& ranges) {
  std::uint64_t count = 0;
  for (std::size_t position = 0; position < compared.found.size(); ++position) {
    const TextRange range = compared.features.ranges[position];
    if (compared.found[position]) {
      ranges.push_back(range);
    } else if (2 * outside.count(range) >= rest.count(range)) {
      continue;
    }
    ++count;
  }
  return count;
}

}  // namespace akin::check
