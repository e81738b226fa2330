#include "morph/words/text_parts.h"

#include <algorithm>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/words/text_check.h"

namespace akin {
namespace {

/// The first place from `from` on where a letter follows white space with two ends of lines or more; the
/// text's end if there is none.
std::size_t next_paragraph(std::string_view text, std::size_t from) {
  constexpr std::string_view kWhite = " \t\r\n";
  for (;;) {
    const std::size_t white = text.find('\n', from);
    const std::size_t begin = white == std::string_view::npos ? white : text.find_first_not_of(kWhite, white);
    if (begin == std::string_view::npos) return text.size();
    std::size_t next = begin;
    if (std::ranges::count(text.substr(white, begin - white), '\n') > 1 &&
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
