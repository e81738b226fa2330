#include "morph/align/seeds.h"

#include <algorithm>
#include <bit>

#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

WordRange around(std::uint32_t seed, unsigned length, std::size_t words) {
  return {seed > kSeedSurroundings ? seed - kSeedSurroundings : 0,
          static_cast<std::uint32_t>(
              std::min<std::size_t>(words, std::size_t{seed} + length + kSeedSurroundings))};
}

}  // namespace

Seeds::Seeds(std::span<const std::uint64_t> words, std::span<const std::uint32_t> places, std::uint64_t shape)
    : shape_(shape), length_(static_cast<unsigned>(std::bit_width(shape))), hashes_(places.size()) {
  places_.reserve(places.size());
  for (const std::uint32_t place : places) {
    const std::size_t last = place + length_ - 1;
    const std::uint64_t hash =
        sum_of_shape(shape, false, [&](std::size_t back) { return words[last - back]; });
    hashes_.add(hash);
    places_.emplace_back(hash, place);
  }
  std::ranges::sort(places_);
}

bool Seeds::near_passage(const GramTable& a, const ClassFilter& a_classes, const NumberedWords& b,
                         const AlignOptions& options) const {
  const auto is_near = [&](WordRange in_a, WordRange in_b) {
    RollingHash hash(options.seed, options.ordered);
    std::uint32_t matched = 0, end = in_b.begin;
    for (std::uint32_t word = in_b.begin; word < in_b.end; ++word) {
      hash.push(b[word]);
      if (word - in_b.begin + 1 < options.seed) continue;
      const std::uint32_t gram = a.find(hash.value());
      if (gram == GramTable::kNone) continue;
      const auto places = a.places(gram);
      const auto place = std::ranges::lower_bound(places, in_a.begin);
      if (place == places.end() || *place + options.seed > in_a.end) continue;
      matched += word + 1 - std::max(word + 1 - options.seed, end);
      end = word + 1;
      if (matched >= options.run) return true;
    }
    return false;
  };
  bool found = false;
  std::size_t looks = 0;
  a_classes.for_each_gram(b, shape_, false, hashes_, [&](std::uint32_t word, std::uint64_t hash) {
    auto place = std::ranges::lower_bound(places_, hash, {}, &Place::first);
    for (; place != places_.end() && place->first == hash && !found; ++place) {
      found =
          ++looks > kMostLooks || is_near(around(place->second, length_, a.grams().size() + options.seed - 1),
                                          around(word, length_, b.size()));
    }
    return !found;
  });
  return found;
}

}  // namespace akin
