#include "server/check/letters.h"

#include <algorithm>
#include <bit>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin::check {

namespace {

constexpr std::uint64_t kBits = 64;

bool is_letter_or_digit(char32_t c) {
  const CharKind kind = CharTable::instance()[c].kind();
  return kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::solo;
}

/// The lowest `count` bits, count < 64.
std::uint64_t low_bits(std::uint64_t count) noexcept { return (std::uint64_t{1} << count) - 1; }

}  // namespace

Letters::Letters(std::string_view utf8) {
  std::uint64_t position = 0;
  for (std::size_t at = 0; at < utf8.size(); ++position) {
    if (position % kBits == 0) bits_.push_back(0);
    if (is_letter_or_digit(next_code_point(utf8, at))) bits_.back() |= std::uint64_t{1} << position % kBits;
  }
  sum_up();
}

void Letters::sum_up() {
  before_.assign(1, 0);
  before_.reserve(bits_.size() + 1);
  for (const std::uint64_t word : bits_) {
    before_.push_back(before_.back() + static_cast<std::uint32_t>(std::popcount(word)));
  }
}

Letters Letters::without(std::span<const TextRange> ranges) const {
  Letters rest(*this);
  const std::uint64_t size = bits_.size() * kBits;
  for (const TextRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < std::min<std::uint64_t>(range.end, size);) {
      const std::uint64_t end = std::min<std::uint64_t>(range.end, (at / kBits + 1) * kBits);
      const std::uint64_t to_end = end % kBits == 0 ? ~std::uint64_t{0} : low_bits(end % kBits);
      rest.bits_[at / kBits] &= ~(to_end & ~low_bits(at % kBits));
      at = end;
    }
  }
  rest.sum_up();
  return rest;
}

std::uint64_t Letters::count_to(std::uint64_t position) const noexcept {
  const std::uint64_t word = position / kBits;
  if (word >= bits_.size()) return before_.back();
  return before_[word] + static_cast<std::uint64_t>(std::popcount(bits_[word] & low_bits(position % kBits)));
}

std::uint64_t Letters::count(TextRange range) const noexcept {
  return range.end <= range.begin ? 0 : count_to(range.end) - count_to(range.begin);
}

std::uint64_t Letters::count_union(std::span<const TextRange> ranges) const noexcept {
  std::uint64_t sum = 0;
  std::uint32_t counted = 0;  // all before this have been
  for (const TextRange& range : ranges) {
    sum += count({std::max(range.begin, counted), range.end});
    counted = std::max(counted, range.end);
  }
  return sum;
}

}  // namespace akin::check
