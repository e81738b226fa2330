#include "morph/normalize/arrangement.h"

#include <algorithm>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/normalize/backward_runs.h"
#include "morph/normalize/broken_words.h"
#include "morph/normalize/line_layout.h"
#include "morph/normalize/note_marks.h"
#include "morph/normalize/spaced_letters.h"
#include "morph/normalize/suspicion.h"

namespace akin {
namespace {

/// Writes the text's characters in reverse order into `reversed`, each followed by its marks.
void reverse_characters(std::string_view utf8, std::string& reversed) {
  reversed.clear();
  std::size_t end = utf8.size();
  for (std::size_t at = end; at > 0;) {
    do --at;
    while ((static_cast<unsigned char>(utf8[at]) & 0xc0U) == 0x80U);
    std::size_t next = at;
    const char32_t c = next_code_point(utf8, next);
    if (at > 0 && CharTable::instance()[c].kind() == CharKind::mark) continue;
    reversed.append(utf8, at, end - at);
    end = at;
  }
}

}  // namespace

std::optional<Arrangement> Arrangement::of(std::string_view utf8) {
  std::vector<ArrivalEdit> edits;
  const Suspicion suspicion = suspect(utf8);
  if (suspicion.overrides) find_backward_runs(utf8, edits);
  find_broken_words(utf8, edits);
  find_line_layout(utf8, edits);
  if (suspicion.notes) find_note_marks(utf8, edits);
  if (suspicion.spaced) find_spaced_letters(utf8, edits);
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
  std::string reversed;
  const auto keep_backward = [&](std::uint32_t end) {
    reverse_characters(utf8.substr(at, end - at), reversed);
    bool goes_on = false;
    for (std::size_t from = 0; from < reversed.size();) {
      const std::size_t begin = from;
      static_cast<void>(next_code_point(reversed, from));
      std::size_t original_end = at;
      static_cast<void>(next_code_point(utf8, original_end));
      const bool resized = original_end - at != from - begin;
      if (resized || !goes_on)
        stretches_.push_back({made, static_cast<std::uint32_t>(text_.size()), code_points_, at, resized});
      goes_on = !resized;
      text_.append(reversed, begin, from - begin);
      at = static_cast<std::uint32_t>(original_end);
      ++made;
      ++code_points_;
    }
  };
  for (const ArrivalEdit& edit : edits) {
    if (edit.begin < at) continue;
    keep_to(edit.begin);
    if (edit.backward) {
      keep_backward(edit.end);
      continue;
    }
    code_points_ += static_cast<std::uint32_t>(count_code_points(utf8.substr(at, edit.end - at)));
    at = edit.end;
    text_ += edit.by;
    made += static_cast<std::uint32_t>(count_code_points(edit.by));
  }
  keep_to(static_cast<std::uint32_t>(utf8.size()));
}

std::string_view Arrangement::Places::original(std::string_view of_copy) noexcept {
  const auto begin = static_cast<std::uint32_t>(of_copy.data() - of_.text_.data());
  const auto size = static_cast<std::uint32_t>(of_copy.size());
  const TextRange bytes = original_bytes({begin, begin + size});
  return of_.original_.substr(bytes.begin, bytes.end - bytes.begin);
}

TextRange Arrangement::Places::translate(TextRange range, std::uint32_t Stretch::*copy,
                                         std::uint32_t Stretch::*in_original, Run& run) noexcept {
  const Stretch& first = at(range.begin, copy);
  const std::uint32_t begin = range.begin - first.*copy + first.*in_original;
  const Stretch& last = at(range.end - 1, copy);
  if (last.resized) {
    run = {};
    std::size_t end = last.original_byte;
    static_cast<void>(next_code_point(of_.original_, end));
    return {begin, in_original == &Stretch::original_byte ? static_cast<std::uint32_t>(end)
                                                          : last.original_code_point + 1};
  }
  const auto next = last_ + 1 < of_.stretches_.size() ? of_.stretches_[last_ + 1].*copy : 0xffffffffU;
  run = {last.*copy, next, last.*in_original};
  return {begin, range.end - last.*copy + last.*in_original};
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
