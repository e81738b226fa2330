#include "index/overlap/overlap_planes.h"

#include <cstring>

#include "base/per_thread.h"

namespace akin {

namespace {

/// A group's words of one plane, as the compiler's widest registers hold them.
using Lanes = std::uint64_t __attribute__((vector_size(OverlapPlanes::kGroupWords * 8)));

/// By reference: how such a vector is returned depends on the processor that is compiled for.
void load_lanes(const void* words, Lanes& lanes) noexcept { std::memcpy(&lanes, words, sizeof lanes); }

}  // namespace

OverlapPlanes::Memory& OverlapPlanes::kept() { return PerThread<Memory>::get(); }

OverlapPlanes::OverlapPlanes(std::uint64_t documents, std::uint64_t most)
    : documents_(documents),
      groups_(static_cast<std::uint32_t>((documents + kGroup - 1) / kGroup)),
      count_(static_cast<unsigned>(std::bit_width(most))) {
  const std::size_t words = std::size_t{groups_} * kGroupWords;
  if (planes_.size() < words * count_) planes_.resize(words * count_);
  std::fill_n(planes_.begin(), words * count_, 0);
  waiting_.assign(words, 0);
  again_.assign(words, 0);
}

void OverlapPlanes::add_more(std::uint32_t number, std::uint32_t x) noexcept {
  std::uint64_t* word = group_at(number / kGroup) + number % kGroup / 64;
  const unsigned shift = number % 64;
  std::uint32_t carry = x;
  // Sums fit, unless damage lists a document twice.
  for (unsigned k = 0; k < count_ && carry != 0; ++k, word += kGroupWords) {
    const std::uint32_t sum = carry + static_cast<std::uint32_t>(*word >> shift & 1U);
    *word ^= std::uint64_t{carry & 1U} << shift;
    carry = sum >> 1U;
  }
}

void OverlapPlanes::add_group(std::uint32_t group, const void* words) noexcept {
  Lanes carry;
  load_lanes(words, carry);
  std::uint64_t* plane = group_at(group);
  for (unsigned k = used(); k > 0; --k, plane += kGroupWords) {
    Lanes before;
    load_lanes(plane, before);
    const Lanes after = before ^ carry;
    carry &= before;
    std::memcpy(plane, &after, sizeof after);
  }
}

bool OverlapPlanes::add_bits(std::uint32_t first, const char* bits, std::uint32_t words) noexcept {
  const std::uint32_t from = first / kGroup;
  const std::uint32_t count = words / kGroupWords;
  if (first % kGroup != 0 || words % kGroupWords != 0 || from > groups_ || count > groups_ - from)
    return false;
  for (std::uint32_t i = 0; i < count; ++i) add_group(from + i, bits + std::size_t{i} * sizeof(Lanes));
  return true;
}

void OverlapPlanes::add_waiting(std::vector<std::uint64_t>& words) noexcept {
  for (std::uint32_t group = 0; group < groups_; ++group)
    add_group(group, words.data() + std::size_t{group} * kGroupWords);
  std::fill(words.begin(), words.end(), 0);
}

void OverlapPlanes::end_list() noexcept {
  if (some_wait_) add_waiting(waiting_);
  if (some_wait_again_) add_waiting(again_);
  some_wait_ = some_wait_again_ = false;
}

std::uint32_t OverlapPlanes::sum(DocNumber document) const noexcept {
  const auto number = static_cast<std::uint32_t>(document);
  const std::uint64_t* const words = group_at(number / kGroup) + number % kGroup / 64;
  std::uint32_t sum = 0;
  for (unsigned k = 0; k < used(); ++k)
    sum |= static_cast<std::uint32_t>(words[std::size_t{k} * kGroupWords] >> (number % 64) & 1U) << k;
  return sum;
}

std::array<std::uint64_t, OverlapPlanes::kGroupWords> OverlapPlanes::at_least(
    std::uint32_t group, std::uint64_t least) const noexcept {
  const std::uint64_t* const planes = group_at(group);
  // From the highest plane down: `equal` to the bound so far, or `more`.
  Lanes more{};
  Lanes equal = ~Lanes{};
  for (unsigned k = used(); k-- > 0;) {
    Lanes plane;
    load_lanes(planes + std::size_t{k} * kGroupWords, plane);
    if ((least >> k & 1U) != 0) {
      equal &= plane;
    } else {
      more |= equal & plane;
      equal &= ~plane;
    }
  }
  more |= equal;
  std::array<std::uint64_t, kGroupWords> result{};
  std::memcpy(result.data(), &more, sizeof result);
  return result;
}

}  // namespace akin
