#include "extract/child/page/picture.h"

#include <leptonica/allheaders.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/late_library.h"
#include "extract/child/errors.h"
#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_page.h"
#include "extract/child/page/pdf_view.h"
#include "extract/child/page/seen_letters.h"
#include "extract/child/readers.h"

namespace akin::extract {

namespace {

constinit LateFunction<decltype(::pixReadMem)> pix_read{"pixReadMem"};
constinit LateFunction<decltype(::pixReadHeaderMem)> pix_read_header{"pixReadHeaderMem"};
constinit LateFunction<decltype(::pixReadMemFromMultipageTiff)> pix_read_page{"pixReadMemFromMultipageTiff"};
constinit LateFunction<decltype(::pixGetWidth)> pix_width{"pixGetWidth"};
constinit LateFunction<decltype(::pixGetHeight)> pix_height{"pixGetHeight"};
constinit LateFunction<decltype(::pixGetXRes)> pix_resolution{"pixGetXRes"};
constinit LateFunction<decltype(::pixConvertTo32)> pix_in_colours{"pixConvertTo32"};
constinit LateFunction<decltype(::pixScale)> pix_scale{"pixScale"};
constinit LateFunction<decltype(::pixWriteMemJpeg)> pix_write_jpeg{"pixWriteMemJpeg"};
constinit LateFunction<decltype(::pixDestroy)> pix_destroy{"pixDestroy"};

bool load_leptonica() {
  static const bool loaded =
      load_library(AKIN_LEPTONICA, "install it: apt install tesseract-ocr",
                   {&pix_read, &pix_read_header, &pix_read_page, &pix_width, &pix_height, &pix_resolution,
                    &pix_in_colours, &pix_scale, &pix_write_jpeg, &pix_destroy})
          .has_value();
  return loaded;
}

struct DestroyPix {
  void operator()(Pix* picture) const { pix_destroy(&picture); }
};
using PixPtr = std::unique_ptr<Pix, DestroyPix>;

/// In dots per inch; 0 if it is unknown: pictures that say less were not scanned.
int resolution_of(Pix* picture) {
  constexpr int kLeast = 70;
  const int written = pix_resolution(picture);
  return written < kLeast ? 0 : written;
}

PdfPage read_page(Pix* picture) {
  constexpr int kUsual = 300;
  const int known = resolution_of(picture), dots = known == 0 ? kUsual : known;
  const GreyPicture size{.width = pix_width(picture), .height = pix_height(picture)};
  return page_of(Ocr::of_process().read(picture, dots), size, 72.0 / dots);
}

/// The size of the first picture. The later pictures of a TIFF are bounded by the memory of the process.
Result<void> check_size(const l_uint8* data, std::size_t size) {
  int format = 0, width = 0, height = 0, bits = 0, samples = 0, colours = 0;
  if (pix_read_header(data, size, &format, &width, &height, &bits, &samples, &colours) != 0)
    return damaged("is a picture that cannot be opened");
  const std::uint64_t most = Ocr::of_process().options().pixels;
  if (static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) > most)
    return too_large("is a picture of more than " + std::to_string(most) + " pixels");
  return {};
}

Error without_tesseract() {
  return {Errc::type_unsupported, "file", "is a picture, and its text is not recognized here",
          "install tesseract-ocr and its data of the picture's language, and do not switch ocr off"};
}

/// The pictures of a file, several of a TIFF, until `visit` returns false.
template <class Visit>
Result<void> for_each_page(std::string_view bytes, const Visit& visit) {
  const auto* const data = reinterpret_cast<const l_uint8*>(bytes.data());
  AKIN_CHECK(check_size(data, bytes.size()));
  const bool has_pages = bytes.starts_with("II") || bytes.starts_with("MM");
  std::size_t offset = 0;
  do {
    const PixPtr picture(has_pages ? pix_read_page(data, bytes.size(), &offset)
                                   : pix_read(data, bytes.size()));
    if (picture == nullptr) return damaged("is a picture that cannot be read");
    if (!visit(picture.get())) break;
  } while (has_pages && offset != 0);
  return {};
}

/// The picture as a screen shows it, without its words: their places are those of what was recognized.
Result<PagePicture> drawn(Pix* picture) {
  constexpr int kQuality = 80;
  const double width = pix_width(picture), height = pix_height(picture);
  const double most = std::sqrt(kMostViewPixels / width / height);
  const double shown = double{kViewResolution} / std::max(resolution_of(picture), kViewResolution);
  const auto scale = static_cast<float>(std::min(shown, most));
  const PixPtr coloured(pix_in_colours(picture));
  const PixPtr scaled(coloured == nullptr ? nullptr : pix_scale(coloured.get(), scale, scale));
  l_uint8* bytes = nullptr;
  std::size_t size = 0;
  if (scaled == nullptr || pix_write_jpeg(&bytes, &size, scaled.get(), kQuality, 0) != 0)
    return damaged("is a picture that cannot be drawn");
  const std::unique_ptr<l_uint8, decltype(&std::free)> owned(bytes, &std::free);
  return PagePicture{.jpeg = std::string(reinterpret_cast<const char*>(bytes), size),
                     .width = static_cast<std::uint32_t>(pix_width(scaled.get())),
                     .height = static_cast<std::uint32_t>(pix_height(scaled.get())),
                     .words = {}};
}

/// The first picture of a file; no lines if it cannot be read.
PdfPage recognized_page(std::string_view bytes) {
  const auto* const data = reinterpret_cast<const l_uint8*>(bytes.data());
  if (!Ocr::of_process().has_budget() || !load_leptonica() || check_size(data, bytes.size()).has_error())
    return {};
  const PixPtr picture(pix_read(data, bytes.size()));
  return picture == nullptr ? PdfPage() : read_page(picture.get());
}

}  // namespace

bool is_recognized_member(std::string_view lower_case_name) {
  return (lower_case_name.starts_with("word/media/") || lower_case_name.starts_with("pictures/")) &&
         Ocr::of_process().has_budget();
}

void add_picture_of_page(const Archive& archive, const std::string& member, DocumentBuilder& builder) {
  const std::string* bytes = archive.find(member);
  PdfPage page = bytes == nullptr ? PdfPage() : recognized_page(*bytes);
  report_recognized(page, builder);
  if (!page.lines.empty()) add_page(page, builder);
}

void warm_up_pictures() { (void)load_leptonica(); }

Result<void> read_picture(std::string_view bytes, DocumentBuilder& builder) {
  Ocr& ocr = Ocr::of_process();
  if (!ocr.has_budget() || !load_leptonica()) return without_tesseract();
  std::vector<PdfPage> pages;
  AKIN_CHECK(for_each_page(bytes, [&](Pix* picture) {
    builder.page(static_cast<std::uint32_t>(pages.size() + 1));
    pages.push_back(ocr.has_budget() ? read_page(picture) : PdfPage());
    report_recognized(pages.back(), builder);
    return true;
  }));
  remove_running_heads(pages);
  add_pages(pages, builder);
  return {};
}

Result<PagePicture> draw_picture(const PictureRequest& request) {
  if (!Ocr::of_process().options().on || !load_leptonica()) return without_tesseract();
  std::uint32_t page = 0;
  Result<PagePicture> made = PagePicture();
  AKIN_CHECK(for_each_page(request.bytes, [&](Pix* picture) {
    if (++page < request.page) return true;
    made = drawn(picture);
    return false;
  }));
  if (request.page < 1 || page < request.page) return no_such_page(static_cast<int>(page), request.page);
  return made;
}

}  // namespace akin::extract
