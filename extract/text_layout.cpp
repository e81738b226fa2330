#include "extract/text_layout.h"

#include <unicode/uchar.h>

#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace akin::extract {

std::string_view whole_characters(std::string_view utf8, std::size_t most) noexcept {
  if (utf8.size() <= most) return utf8;
  while (most > 0 && (static_cast<unsigned char>(utf8[most]) & 0xC0U) == 0x80U) --most;
  return utf8.substr(0, most);
}

bool is_note_mark(std::string_view before, std::string_view raised) {
  constexpr std::size_t kMostDigits = 3, kLeastLetters = 3;
  std::size_t digits = 0, marks = 0;
  for (std::size_t at = 0; at < raised.size();) {
    const char32_t c = next_code_point(raised, at);
    if (c >= U'0' && c <= U'9') {
      ++digits;
    } else if (c == U'*' || c == U'\u2020' || c == U'\u2021' || c == U'\u00a7') {
      ++marks;
    } else if (std::u32string_view(U"[](), ").find(c) == std::u32string_view::npos) {
      return false;
    }
  }
  if (digits > kMostDigits || digits + marks == 0) return false;
  std::size_t letters = 0, end = before.size();
  while (letters < kLeastLetters && end > 0) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(before[at]) & 0xC0U) == 0x80U) --at;
    std::size_t next = at;
    const char32_t c = next_code_point(before, next);
    if (c >= U'0' && c <= U'9') return false;
    const bool letter =
        (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'\u00c0' && c < U'\u2000');
    if (!letter) return letters == 0 && c > U' ';
    ++letters;
    end = at;
  }
  return letters == kLeastLetters;
}

bool is_reading(std::string_view word, std::string_view above) {
  constexpr std::size_t kLongest = 40;
  bool has_word = false;
  for (std::size_t at = 0; at < word.size();)
    has_word = u_isalnum(static_cast<UChar32>(next_code_point(word, at))) != 0 || has_word;
  return has_word && count_code_points(above) <= kLongest;
}

void TextLayout::border() {
  while (text_.size() > guarded_ && is_markup_space(text_.back())) text_.pop_back();
  border_ = true;
}

void TextLayout::begin_piece() {
  if (!border_) return;
  border_ = false;
  if (!text_.empty()) text_ += "\n\n";
}

void TextLayout::flow(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    if (is_markup_space(utf8[at])) {
      while (at < utf8.size() && is_markup_space(utf8[at])) ++at;
      if (!border_ && !at_line_begin() && text_.back() != ' ') text_ += ' ';
      continue;
    }
    const std::size_t begin = at;
    while (at < utf8.size() && !is_markup_space(utf8[at])) ++at;
    begin_piece();
    if (set_off_ && !text_.empty() && at_line_begin()) text_ += "    ";
    text_.append(utf8, begin, at - begin);
  }
}

void TextLayout::verbatim(std::string_view utf8) {
  if (utf8.empty()) return;
  begin_piece();
  text_ += utf8;
}

void TextLayout::line_break() {
  if (border_ || text_.empty()) return;
  while (text_.size() > guarded_ && text_.back() == ' ') text_.pop_back();
  text_ += '\n';
}

void TextLayout::back_to(const Mark& mark) {
  text_.resize(mark.size);
  border_ = mark.border;
}

std::string TextLayout::take() && {
  while (!text_.empty() && is_markup_space(text_.back())) text_.pop_back();
  return std::move(text_);
}

}  // namespace akin::extract
