#include "index/overlap/occurrences.h"

#include <bit>
#include <cassert>

#include "base/hash.h"

namespace akin {

Occurrences::Occurrences(std::span<const Feature> query, std::span<const Feature> sequence)
    : slots_(std::bit_ceil(2 * query.size() + 1)),
      value_at_(sequence.size(), kNone),
      next_(sequence.size(), kNone),
      previous_(sequence.size(), kNone),
      used_(sequence.size(), 0) {
  assert(query.size() < kNone && sequence.size() < kNone);
  std::uint32_t values = 0;
  for (const Feature feature : query) {
    Slot& slot = slots_[slot_of(feature)];
    if (slot.value == kNone) slot = {feature, values++};
  }
  head_.assign(values, kNone);
  std::vector<std::uint32_t> last(values, kNone);
  for (std::uint32_t position = 0; position < size(); ++position) {
    const std::uint32_t value = value_of(sequence[position]);
    if (value == kNone) continue;
    value_at_[position] = value;
    previous_[position] = last[value];
    (last[value] == kNone ? head_[value] : next_[last[value]]) = position;
    last[value] = position;
  }
}

std::size_t Occurrences::slot_of(Feature feature) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(mix64(static_cast<std::uint64_t>(feature))) & mask;
  while (slots_[slot].value != kNone && slots_[slot].feature != feature) slot = (slot + 1) & mask;
  return slot;
}

std::uint32_t Occurrences::value_of(Feature feature) const noexcept { return slots_[slot_of(feature)].value; }

void Occurrences::use(std::uint32_t position) noexcept {
  assert(!used(position));
  used_[position] = 1;
  const std::uint32_t before = previous_[position];
  const std::uint32_t after = next_[position];
  if (before == kNone) {
    head_[value_at_[position]] = after;
  } else {
    next_[before] = after;
  }
  if (after != kNone) previous_[after] = before;
}

}  // namespace akin
