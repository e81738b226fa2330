#include "morph/align/gram_places.h"

#include <algorithm>
#include <bit>

#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

/// Of the number of a bucket, so that one has eight to sixteen grams.
unsigned bucket_bits_for(std::size_t words) noexcept {
  return static_cast<unsigned>(std::max<std::size_t>(5, std::bit_width(words))) - 4;
}

}  // namespace

std::uint64_t GramPlaces::gram_hash(const NumberedWords& words, std::size_t place) const noexcept {
  const std::size_t last = place + static_cast<std::size_t>(std::bit_width(shape_)) - 1;
  return sum_of_shape(shape_, false, [&](std::size_t back) { return words[last - back]; });
}

std::size_t GramPlaces::bytes_of(std::size_t words) noexcept {
  return sizeof(std::uint32_t) * (words + 1 + (std::size_t{1} << bucket_bits_for(words)));
}

GramPlaces::GramPlaces(const NumberedWords& words, std::uint64_t shape)
    : shape_(shape),
      bucket_bits_(bucket_bits_for(words.size())),
      place_mask_(static_cast<std::uint32_t>(std::bit_ceil(words.size() + 1) - 1)),
      begins_((std::size_t{1} << bucket_bits_) + 1) {
  const auto length = static_cast<std::size_t>(std::bit_width(shape));
  if (words.size() < length) return;
  std::vector<std::uint64_t> hashes(words.size() + 1 - length);
  for (std::size_t place = 0; place < hashes.size(); ++place) {
    hashes[place] = gram_hash(words, place);
    ++begins_[bucket_of(hashes[place])];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : begins_) begin = sum += begin;
  entries_.resize(hashes.size());
  // Each is now the end of its bucket, and becomes the beginning as the bucket fills from its end.
  for (std::size_t place = hashes.size(); place-- > 0;) {
    entries_[--begins_[bucket_of(hashes[place])]] = tag_of(hashes[place]) | static_cast<std::uint32_t>(place);
  }
}

}  // namespace akin
