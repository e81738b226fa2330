// Text from right to left: what a page shows from the left on, in the order in which it is read.
#include <unicode/ubidi.h>
#include <unicode/uchar.h>

#include <memory>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "extract/child/page/pdf_page.h"

namespace akin::extract {

namespace {

struct CloseBidi {
  void operator()(UBiDi* bidi) const noexcept { ubidi_close(bidi); }
};

/// Letters of each direction.
struct Directions {
  std::size_t left = 0, right = 0;  ///< to the right, as Latin; to the left, as Hebrew

  void add(std::string_view utf8) {
    for (std::size_t at = 0; at < utf8.size();) {
      const UCharDirection direction = u_charDirection(static_cast<UChar32>(next_code_point(utf8, at)));
      left += direction == U_LEFT_TO_RIGHT ? 1 : 0;
      right += direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC ? 1 : 0;
    }
  }
  [[nodiscard]] bool runs_left() const noexcept { return right > left; }
};

/// The text as it is read of one as it is seen (UAX #9, backwards); unchanged if ICU has no memory.
std::string read_order(const std::string& seen, bool runs_left) {
  std::u16string text;
  for (std::size_t at = 0; at < seen.size();) {
    const auto c = static_cast<UChar32>(next_code_point(seen, at));
    if (U_IS_BMP(c)) {
      text += static_cast<char16_t>(c);
    } else {
      text += U16_LEAD(c);
      text += U16_TRAIL(c);
    }
  }
  const std::unique_ptr<UBiDi, CloseBidi> bidi(ubidi_open());
  if (bidi == nullptr) return seen;
  UErrorCode error = U_ZERO_ERROR;
  const auto size = static_cast<std::int32_t>(text.size());
  ubidi_setReorderingMode(bidi.get(), UBIDI_REORDER_INVERSE_LIKE_DIRECT);
  ubidi_setPara(bidi.get(), text.data(), size, runs_left ? UBIDI_RTL : UBIDI_LTR, nullptr, &error);
  std::u16string read(text.size(), u'\0');
  const std::int32_t written = ubidi_writeReordered(bidi.get(), read.data(), size,
                                                    UBIDI_DO_MIRRORING | UBIDI_KEEP_BASE_COMBINING, &error);
  if (U_FAILURE(error)) return seen;
  std::string utf8;
  for (std::int32_t at = 0; at < written;) {
    UChar32 c = 0;
    U16_NEXT(read.data(), at, written, c);
    append_utf8(utf8, static_cast<char32_t>(c));
  }
  return utf8;
}

}  // namespace

void set_in_read_order(PdfPage& page) {
  Directions of_page;
  for (PdfLine& line : page.lines) {
    Directions of_line;
    of_line.add(line.text);
    if (of_line.right > 0) line.text = read_order(line.text, of_line.runs_left());
    of_page.left += of_line.left;
    of_page.right += of_line.right;
  }
  if (!of_page.runs_left()) return;
  for (PdfLine& line : page.lines) line.left = page.width - std::exchange(line.right, page.width - line.left);
}

}  // namespace akin::extract
