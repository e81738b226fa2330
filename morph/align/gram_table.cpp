#include "morph/align/gram_table.h"

#include <bit>

#include "morph/schemes/rolling_hash.h"

namespace akin {

GramTable::GramTable(std::span<const std::uint64_t> words, unsigned length, bool ordered)
    : filter_(words.size()), slots_(std::bit_ceil(2 * words.size() + 2)) {
  grams_.reserve(words.size());
  begins_.push_back(0);
  // First how often each gram occurs, one place behind its number; then sums of these, where places begin.
  for_each_gram(words, length, RollingHash(length, ordered), [&](std::uint32_t, std::uint64_t hash) {
    Slot& slot = slots_[slot_of(hash)];
    if (slot.gram == kNone) {
      filter_.add(hash);
      slot = {hash, static_cast<std::uint32_t>(size())};
      begins_.push_back(0);
    }
    ++begins_[slot.gram + 1];
    grams_.push_back(slot.gram);
  });
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  places_.resize(grams_.size());
  std::vector<std::uint32_t> next(begins_);
  for (std::uint32_t i = 0; i < grams_.size(); ++i) places_[next[grams_[i]]++] = i;
}

std::size_t GramTable::slot_of(std::uint64_t hash) const noexcept {
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].gram != kNone && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
  return at;
}

}  // namespace akin
