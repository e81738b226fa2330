#include "morph/words/text_parts.h"

#include <algorithm>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/words/text_check.h"

namespace akin {
namespace {

/// Whether a paragraph ends at a blank line after `text`: it ends with a letter, or a full stop after one.
bool ends_paragraph(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xc0U) == 0x80U) --at;
  return at > 0 && CharTable::instance()[next_code_point(text, --at)].is_plain_letter();
}

/// The first place from `from` on where a letter follows white space with two ends of lines or more that ends
/// a paragraph; the text's end if there is none.
std::size_t next_paragraph(std::string_view text, std::size_t from) {
  constexpr std::string_view kWhite = " \t\r\n";
  for (;;) {
    const std::size_t white = text.find('\n', from);
    const std::size_t begin = white == std::string_view::npos ? white : text.find_first_not_of(kWhite, white);
    if (begin == std::string_view::npos) return text.size();
    std::size_t next = begin;
    const std::size_t end = text.find_last_not_of(kWhite, white);
    if (std::ranges::count(text.substr(white, begin - white), '\n') > 1 && end != text.npos &&
        ends_paragraph(text.substr(0, end + 1)) &&
        CharTable::instance()[next_code_point(text, next)].is_plain_letter())
      return begin;
    from = begin;
  }
}

}  // namespace

Result<TextParts> TextParts::of(std::string_view utf8, std::size_t least_bytes) {
  AKIN_CHECK(check_text(utf8));
  TextParts parts(utf8);
  parts.divide(least_bytes);
  return parts;
}

void TextParts::divide(std::size_t least_bytes) {
  const std::string_view all = text();
  StretchBegin begin;
  for (;;) {
    begins_.push_back(begin);
    if (all.size() - begin.byte <= least_bytes) return;
    const std::size_t next = next_paragraph(all, begin.byte + least_bytes);
    if (next == all.size()) return;
    begin.code_point +=
        static_cast<std::uint32_t>(count_code_points(all.substr(begin.byte, next - begin.byte)));
    begin.byte = static_cast<std::uint32_t>(next);
  }
}

std::size_t TextParts::bytes(std::size_t part) const noexcept {
  return (part + 1 < begins_.size() ? begins_[part + 1].byte : text().size()) - begins_[part].byte;
}

void TextParts::scan(std::size_t part, const Dictionary& dictionary, SentenceSink& sink) const {
  const std::string_view stretch = text().substr(begins_[part].byte, bytes(part));
  if (part == 0 && !arrangement_) {
    static_cast<void>(scan_stretch(stretch, dictionary, sink));
    return;
  }
  OriginalPlaces places(arrangement_, begins_[part], sink);
  static_cast<void>(scan_stretch(stretch, dictionary, places));
}

}  // namespace akin
