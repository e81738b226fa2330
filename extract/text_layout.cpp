#include "extract/text_layout.h"

#include <utility>

namespace akin::extract {

std::string_view whole_characters(std::string_view utf8, std::size_t most) noexcept {
  if (utf8.size() <= most) return utf8;
  while (most > 0 && (static_cast<unsigned char>(utf8[most]) & 0xC0U) == 0x80U) --most;
  return utf8.substr(0, most);
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
