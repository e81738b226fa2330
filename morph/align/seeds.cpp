#include "morph/align/seeds.h"

#include <algorithm>
#include <bit>

#include "morph/align/gram_places.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {

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

bool Seeds::near_passage(const Grams& a, const NumberedWords& b, const GramPlaces* b_grams,
                         const AlignOptions& options) const {
  const auto is_near = [&](WordRange in_a, WordRange in_b) {
    RollingHash hash(options.seed, options.ordered);
    std::uint32_t matched = 0, end = in_b.begin;
    for (std::uint32_t word = in_b.begin; word < in_b.end; ++word) {
      hash.push(b[word]);
      if (word - in_b.begin + 1 < options.seed) continue;
      const std::uint32_t gram = a.grams.find(hash.value());
      if (gram == GramTable::kNone) continue;
      const auto places = a.grams.places(gram);
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
  const std::size_t a_words = a.grams.grams().size() + options.seed - 1;
  const auto look = [&](std::span<const Place> same, std::uint32_t word) {
    for (auto place = same.begin(); place != same.end() && !found; ++place) {
      found = ++looks > kMostLooks ||
              is_near(around_seed(place->second, length_, a_words), around_seed(word, length_, b.size()));
    }
    return !found;
  };
  if (b_grams != nullptr) {
    for (auto first = places_.begin(); first != places_.end() && !found;) {
      const auto end = std::find_if(
          first, places_.end(), [hash = first->first](const Place& place) { return place.first != hash; });
      b_grams->for_each(b, first->first, [&](std::uint32_t word) { return look({first, end}, word); });
      first = end;
    }
    return found;
  }
  a.classes.for_each_gram(b, shape_, false, hashes_, [&](std::uint32_t word, std::uint64_t hash) {
    const auto first = std::ranges::lower_bound(places_, hash, {}, &Place::first);
    return look({first, std::ranges::upper_bound(first, places_.end(), hash, {}, &Place::first)}, word);
  });
  return found;
}

}  // namespace akin
