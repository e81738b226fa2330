#include "extract/child/page/seen_letters.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace akin::extract {

namespace {

UScriptCode script_of(UChar32 c) {
  UErrorCode failure = U_ZERO_ERROR;
  return uscript_getScript(c, &failure);
}

char32_t as_latin(char32_t c) {
  constexpr std::u32string_view kCyrillic = U"аеорсухіѕјкмнтвгпиьбз", kLatin = U"aeopcyxisjkmhtbrnubbз";
  const auto found = kCyrillic.find(c);
  return found == std::u32string_view::npos ? c : kLatin[found];
}

}  // namespace

bool is_recognizable(std::string_view utf8) {
  const auto text = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
  std::size_t all = 0, known = 0;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (u_isUWhiteSpace(c)) continue;
    ++all;
    const UScriptCode script = u_isalpha(c) ? script_of(c) : USCRIPT_COMMON;
    known += script == USCRIPT_LATIN || script == USCRIPT_CYRILLIC ? 1 : 0;
  }
  return known * 10 >= all * 8 && all > 0;
}

std::u32string seen_letters(std::string_view utf8) {
  UErrorCode failure = U_ZERO_ERROR;
  const icu::Normalizer2* const parts = icu::Normalizer2::getNFKDInstance(failure);
  if (U_FAILURE(failure)) return {};
  icu::UnicodeString text = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
  text = parts->normalize(text.foldCase(), failure);
  std::u32string letters;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (u_isalpha(c)) letters += as_latin(static_cast<char32_t>(c));
  }
  return letters;
}

std::size_t edits_between(std::u32string_view a, std::u32string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before + (a[i - 1] == b[j - 1] ? 0 : 1);
      before = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

PdfPage page_of(std::vector<OcrLine> recognized, const GreyPicture& picture, double points_per_pixel) {
  const auto points = [&](int pixels) { return points_per_pixel * pixels; };
  const auto inside = [](int at, int most) { return static_cast<std::uint32_t>(std::clamp(at, 0, most)); };
  PdfPage page;
  page.width = points(picture.width);
  page.height = points(picture.height);
  page.recognized = {.width = inside(picture.width, picture.width),
                     .height = inside(picture.height, picture.height),
                     .words = {}};
  std::vector<double> heights;
  for (OcrLine& line : recognized) {
    for (OcrWord& word : line.words) {
      const PixelBox& box = word.box;
      if (page.recognized.words.size() == kMostPlacedWords || box.left > box.right || box.top > box.bottom)
        continue;
      page.recognized.words.push_back({.text = std::move(word.text),
                                       .left = inside(box.left, picture.width),
                                       .top = inside(box.top, picture.height),
                                       .right = inside(box.right, picture.width),
                                       .bottom = inside(box.bottom, picture.height)});
    }
    page.lines.push_back({std::move(line.text), points(line.box.left), points(line.box.top),
                          points(line.box.right), points(line.box.bottom), 0, line.block});
    heights.push_back(page.lines.back().bottom - page.lines.back().top);
  }
  if (heights.empty()) return page;
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::ranges::nth_element(heights, middle);
  for (PdfLine& line : page.lines) line.size = *middle;
  return page;
}

void report_recognized(PdfPage& page, DocumentBuilder& builder) {
  if (page.lines.empty()) return builder.report(FileAlertKind::pages_without_text, 1);
  for (const PdfLine& line : page.lines)
    builder.report(FileAlertKind::ocr, count_code_points(line.text), line.text);
  builder.place(std::move(page.recognized));
}

}  // namespace akin::extract
