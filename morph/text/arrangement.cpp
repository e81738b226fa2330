#include "morph/text/arrangement.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"
#include "morph/text/line_layout.h"
#include "morph/text/note_marks.h"
#include "morph/text/spaced_letters.h"

namespace akin {
namespace {

using Bytes = unsigned char __attribute__((vector_size(16)));

constexpr std::size_t kLookAhead = 16;
constexpr std::size_t kBlock = sizeof(Bytes);

Bytes load(const char* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return bytes;
}

/// Whether 16 bytes may begin a chain of spaced letters: four separators in a row with one letter of one or
/// two bytes between each two, or a narrow space. Reads kLookAhead bytes more. False positives are harmless.
bool may_be_spaced(const char* text) {
  const Bytes here = load(text), next = load(text + 1), third = load(text + 3), sixth = load(text + 6);
  const auto separator = (here == ' ') | (here == '.');
  const auto one_byte = (load(text + 2) == here) & (load(text + 4) == here) & (sixth == here);
  const auto two_bytes = (third == here) & (sixth == here) & (load(text + 9) == here);
  const Bytes after = load(text + 2);
  const auto thin = (here == 0xe2) & (next == 0x80) & ((after <= 0x8a) | (after == 0xaf));
  const auto no_break =
      (here == 0xc2) & (next == 0xa0) &
      (((third == 0xc2) & (load(text + 4) == 0xa0)) | ((load(text + 4) == 0xc2) & (load(text + 5) == 0xa0)));
  const auto found = (separator & (next != here) & (one_byte | two_bytes)) | thin | no_break;
  std::uint64_t halves[2];
  static_assert(sizeof(halves) == sizeof(found));
  std::memcpy(halves, &found, sizeof(halves));
  return (halves[0] | halves[1]) != 0;
}

bool may_have_spaced_letters(std::string_view text) {
  std::size_t at = 0;
  for (; at + kBlock + kLookAhead <= text.size(); at += kBlock)
    if (may_be_spaced(text.data() + at) && begins_spaced_letters(text, at, at + kBlock)) return true;
  return begins_spaced_letters(text, at, text.size());
}

}  // namespace

std::optional<Arrangement> Arrangement::of(std::string_view utf8) {
  std::vector<ArrivalEdit> edits;
  find_line_layout(utf8, edits);
  find_note_marks(utf8, edits);
  if (may_have_spaced_letters(utf8)) find_spaced_letters(utf8, edits);
  if (edits.empty()) return std::nullopt;
  std::ranges::stable_sort(edits, {}, &ArrivalEdit::begin);
  return Arrangement(utf8, edits);
}

Arrangement::Arrangement(std::string_view utf8, const std::vector<ArrivalEdit>& edits) : original_(utf8) {
  text_.reserve(utf8.size() + edits.size() * 2);
  std::uint32_t made = 0;  // code points of the copy
  std::uint32_t at = 0;    // in the original's bytes
  const auto keep_to = [&](std::uint32_t end) {
    if (end == at) return;
    stretches_.push_back({made, static_cast<std::uint32_t>(text_.size()), code_points_, at});
    const std::string_view kept = utf8.substr(at, end - at);
    const auto length = static_cast<std::uint32_t>(count_code_points(kept));
    text_ += kept;
    made += length;
    code_points_ += length;
    at = end;
  };
  for (const ArrivalEdit& edit : edits) {
    if (edit.begin < at) continue;
    keep_to(edit.begin);
    code_points_ += static_cast<std::uint32_t>(count_code_points(utf8.substr(at, edit.end - at)));
    at = edit.end;
    text_ += edit.by;
    made += static_cast<std::uint32_t>(count_code_points(edit.by));
  }
  keep_to(static_cast<std::uint32_t>(utf8.size()));
}

TextRange Arrangement::Places::original(TextRange range) noexcept {
  const auto place = [this](std::uint32_t code_point) {
    const Stretch& stretch = at(code_point, &Stretch::code_point);
    return code_point - stretch.code_point + stretch.original_code_point;
  };
  return {place(range.begin), place(range.end - 1) + 1};
}

std::string_view Arrangement::Places::original(std::string_view of_copy) noexcept {
  const auto place = [this](const char* in_copy) {
    const auto byte = static_cast<std::uint32_t>(in_copy - of_.text_.data());
    const Stretch& stretch = at(byte, &Stretch::byte);
    return byte - stretch.byte + stretch.original_byte;
  };
  const std::uint32_t begin = place(of_copy.data());
  return of_.original_.substr(begin, place(of_copy.data() + of_copy.size() - 1) + 1 - begin);
}

const Arrangement::Stretch& Arrangement::Places::at(std::uint32_t place,
                                                    std::uint32_t Stretch::*field) noexcept {
  const std::vector<Stretch>& all = of_.stretches_;
  constexpr std::size_t kSteps = 4;
  std::size_t steps = 0;
  if (all[last_].*field <= place) {
    while (last_ + 1 < all.size() && all[last_ + 1].*field <= place && ++steps < kSteps) ++last_;
    if (steps < kSteps) return all[last_];
  }
  last_ = static_cast<std::size_t>(std::ranges::upper_bound(all, place, {}, field) - all.begin()) - 1;
  return all[last_];
}

}  // namespace akin
