#include "extract/child/page/pdf_ocr.h"

#include <splash/SplashBitmap.h>

#include <algorithm>
#include <cmath>

#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_drawing.h"
#include "extract/child/page/seen_letters.h"

namespace akin::extract {

namespace {

/// What tesseract's models are made for, and what suffices for a line of known size.
constexpr int kPageResolution = 300, kLineResolution = 200;
/// Lines of a page that are compared, and letters that each must have at least.
constexpr std::size_t kLines = 4, kLeastLines = 2, kLeastLetters = 20;

/// A page as it is printed, in shades of grey.
class Drawn {
 public:
  Drawn(PDFDoc& document, int number, int dots_per_inch)
      : device_(splashModeMono8, paper_, document),
        dots_per_inch_(dots_for(document, number, dots_per_inch,
                                static_cast<double>(Ocr::of_process().options().pixels))) {
    document.displayPage(&device_, number, dots_per_inch_, dots_per_inch_, 0, false, true, false);
  }

  [[nodiscard]] GreyPicture picture() {
    SplashBitmap* const bitmap = device_.getBitmap();
    if (bitmap == nullptr || bitmap->getDataPtr() == nullptr) return {};
    return {bitmap->getDataPtr(), bitmap->getWidth(), bitmap->getHeight(),
            static_cast<int>(bitmap->getRowSize()), dots_per_inch_};
  }
  [[nodiscard]] double points_per_pixel() const noexcept { return kPointsPerInch / dots_per_inch_; }

 private:
  SplashColor paper_ = {0xFF, 0xFF, 0xFF, 0xFF};
  PdfDrawing device_;
  int dots_per_inch_;
};

std::vector<const PdfLine*> comparable_lines(const PdfPage& page) {
  constexpr double kFlat = 4, kSmall = 6, kLarge = 40;
  std::vector<const PdfLine*> all;
  for (const PdfLine& line : page.lines) {
    const bool level = line.right - line.left > kFlat * (line.bottom - line.top);
    const bool inside =
        line.left >= 0 && line.top >= 0 && line.right <= page.width && line.bottom <= page.height;
    if (level && inside && line.size >= kSmall && line.size <= kLarge && is_recognizable(line.text) &&
        seen_letters(line.text).size() >= kLeastLetters)
      all.push_back(&line);
  }
  return all;
}

}  // namespace

PdfPage shown_page(PDFDoc& document, int number) {
  Drawn drawn(document, number, kPageResolution);
  const GreyPicture picture = drawn.picture();
  if (picture.data == nullptr) return {};
  return page_of(Ocr::of_process().read(picture), picture, drawn.points_per_pixel());
}

bool can_compare(const PdfPage& page) { return comparable_lines(page).size() >= kLeastLines; }

Difference compare_with_shown(PDFDoc& document, int number, const PdfPage& page) {
  constexpr double kSure = 60, kMargin = 2;
  const std::vector<const PdfLine*> all = comparable_lines(page);
  Drawn drawn(document, number, kLineResolution);
  const GreyPicture picture = drawn.picture();
  Difference found;
  if (picture.data == nullptr) return found;
  double worst = 0;
  const std::size_t count = std::min(kLines, all.size());
  for (std::size_t i = 0; i < count; ++i) {
    const PdfLine& line = *all[(2 * i + 1) * all.size() / (2 * count)];
    const auto pixel = [&](double points, int most) {
      return std::clamp(static_cast<int>(std::lround(points / drawn.points_per_pixel())), 0, most);
    };
    const OcrLine shown = Ocr::of_process().read_line(
        picture, {pixel(line.left - kMargin, picture.width), pixel(line.top - kMargin, picture.height),
                  pixel(line.right + kMargin, picture.width), pixel(line.bottom + kMargin, picture.height)});
    const std::u32string given = seen_letters(line.text), seen = seen_letters(shown.text);
    if (shown.confidence < kSure || seen.size() * 2 < given.size()) continue;
    const std::size_t longest = std::max(given.size(), seen.size());
    const std::size_t differing = edits_between(given, seen);
    found.letters += longest;
    found.differing += differing;
    const double share = static_cast<double>(differing) / static_cast<double>(longest);
    if (share <= worst) continue;
    worst = share;
    found.sample = line.text + " | " + shown.text;
  }
  return found;
}

}  // namespace akin::extract
