#include "index/packed_words.h"

#include <algorithm>
#include <bit>

#include "index/encoding.h"

namespace akin {
namespace {

/// How the bytes of a word follow from its code points.
enum class LengthKind : std::uint8_t { equal = 0, doubled = 1, other = 2 };

/// Numbers classes in the order in which they first occur.
class ClassNumbers {
 public:
  std::uint32_t of(std::uint64_t word_class) {
    if (2 * (classes_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slot_of(word_class);
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(classes_.size());
      classes_.push_back(word_class);
    }
    return slot;
  }
  [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(classes_); }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffU;

  std::uint32_t& slot_of(std::uint64_t word_class) {
    std::size_t at = static_cast<std::size_t>(mix64(word_class)) & (slots_.size() - 1);
    while (slots_[at] != kFree && classes_[slots_[at]] != word_class) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), kFree);
    for (std::uint32_t number = 0; number < classes_.size(); ++number) slot_of(classes_[number]) = number;
  }

  std::vector<std::uint32_t> slots_;  ///< open addressing, a power of two in size, at most half full
  std::vector<std::uint64_t> classes_;
};

std::int64_t difference(std::uint32_t to, std::uint32_t from) noexcept {
  return std::int64_t{to} - std::int64_t{from};
}

void append_place(std::string& out, TextRange range, TextRange bytes, TextRange last_range,
                  TextRange last_bytes) {
  const std::int64_t gap = difference(range.begin, last_range.end);
  const std::int64_t more = difference(bytes.begin, last_bytes.end) - gap;
  append_varint(out, zigzag(gap) << 1U | static_cast<std::uint64_t>(more != 0));
  if (more != 0) append_varint(out, zigzag(more));
  const std::int64_t length = difference(range.end, range.begin);
  const std::int64_t extra = difference(bytes.end, bytes.begin) - length;
  const LengthKind kind = extra == 0        ? LengthKind::equal
                          : extra == length ? LengthKind::doubled
                                            : LengthKind::other;
  append_varint(out, static_cast<std::uint64_t>(length) << 2U | static_cast<std::uint64_t>(kind));
  if (kind == LengthKind::other) append_varint(out, zigzag(extra));
}

/// Reads what append_varint has written; nothing is checked, as these bytes never leave the process.
class Numbers {
 public:
  explicit Numbers(const char* bytes) noexcept : at_(bytes) {}
  std::uint64_t next() noexcept {
    auto byte = static_cast<std::uint8_t>(*at_++);
    if (byte < 0x80U) return byte;
    std::uint64_t value = byte & 0x7fU;
    for (unsigned shift = 7; byte >= 0x80U; shift += 7) {
      byte = static_cast<std::uint8_t>(*at_++);
      value |= std::uint64_t{byte & 0x7fU} << shift;
    }
    return value;
  }

 private:
  const char* at_;
};

}  // namespace

PackedWords::PackedWords(const WordSequence& words) {
  ClassNumbers numbers;
  words_.reserve(words.classes.size());
  for (const std::uint64_t word_class : words.classes) words_.push_back(numbers.of(word_class));
  classes_ = numbers.take();
  classes_.shrink_to_fit();
  TextRange range, bytes;
  for (std::size_t i = 0; i < words.ranges.size(); ++i) {
    if (i % kMilestone == 0) milestones_.push_back({places_.size(), range.end, bytes.end});
    append_place(places_, words.ranges[i], words.bytes[i], range, bytes);
    range = words.ranges[i];
    bytes = words.bytes[i];
  }
  places_.shrink_to_fit();
  milestones_.shrink_to_fit();
}

WordSequence PackedWords::unpacked() const {
  return unpacked(WordRange{0, static_cast<std::uint32_t>(words_.size())});
}

WordSequence PackedWords::unpacked(WordRange stretch) const {
  WordSequence words;
  if (stretch.size() == 0) return words;
  words.classes.reserve(stretch.size());
  words.ranges.reserve(stretch.size());
  words.bytes.reserve(stretch.size());
  const Milestone& from = milestones_[stretch.begin / kMilestone];
  Numbers numbers(places_.data() + from.at);
  std::int64_t range_end = from.range_end, bytes_end = from.bytes_end;
  for (std::uint32_t i = stretch.begin / kMilestone * kMilestone; i < stretch.end; ++i) {
    const std::uint64_t distance = numbers.next();
    const std::int64_t gap = unzigzag(distance >> 1U);
    const std::int64_t more = (distance & 1U) == 0 ? 0 : unzigzag(numbers.next());
    const std::uint64_t length = numbers.next();
    const auto code_points = static_cast<std::int64_t>(length >> 2U);
    std::int64_t extra = 0;
    switch (LengthKind{static_cast<std::uint8_t>(length & 3U)}) {
      case LengthKind::equal:
        break;
      case LengthKind::doubled:
        extra = code_points;
        break;
      case LengthKind::other:
        extra = unzigzag(numbers.next());
        break;
    }
    const std::int64_t range_begin = range_end + gap;
    const std::int64_t bytes_begin = bytes_end + gap + more;
    range_end = range_begin + code_points;
    bytes_end = bytes_begin + code_points + extra;
    if (i < stretch.begin) continue;
    words.classes.push_back(classes_[words_[i]]);
    words.ranges.push_back({static_cast<std::uint32_t>(range_begin), static_cast<std::uint32_t>(range_end)});
    words.bytes.push_back({static_cast<std::uint32_t>(bytes_begin), static_cast<std::uint32_t>(bytes_end)});
  }
  return words;
}

std::size_t PackedWords::bytes() const noexcept {
  return classes_.capacity() * sizeof(std::uint64_t) + words_.capacity() * sizeof(std::uint32_t) +
         places_.capacity() + milestones_.capacity() * sizeof(Milestone);
}

}  // namespace akin
