#include "extract/child/page/picture.h"

#include <leptonica/allheaders.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/late_library.h"
#include "extract/child/errors.h"
#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_page.h"
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
constinit LateFunction<decltype(::pixDestroy)> pix_destroy{"pixDestroy"};

bool load_leptonica() {
  static const bool loaded = load_library(AKIN_LEPTONICA, "install it: apt install tesseract-ocr",
                                          {&pix_read, &pix_read_header, &pix_read_page, &pix_width,
                                           &pix_height, &pix_resolution, &pix_destroy})
                                 .has_value();
  return loaded;
}

struct DestroyPix {
  void operator()(Pix* picture) const { pix_destroy(&picture); }
};
using PixPtr = std::unique_ptr<Pix, DestroyPix>;

PdfPage read_page(Pix* picture) {
  constexpr int kUsual = 300, kLeast = 70;  // pictures that say less were not scanned
  const int written = pix_resolution(picture);
  const int dots_per_inch = written < kLeast ? kUsual : written;
  const double points_per_pixel = 72.0 / dots_per_inch;
  PdfPage page;
  page.width = pix_width(picture) * points_per_pixel;
  page.height = pix_height(picture) * points_per_pixel;
  page.lines = lines_of(Ocr::of_process().read(picture, dots_per_inch), points_per_pixel);
  return page;
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
  const PdfPage page = bytes == nullptr ? PdfPage() : recognized_page(*bytes);
  report_recognized(page.lines, builder);
  if (!page.lines.empty()) add_page(page, builder);
}

void warm_up_pictures() { (void)load_leptonica(); }

Result<void> read_picture(std::string_view bytes, DocumentBuilder& builder) {
  Ocr& ocr = Ocr::of_process();
  if (!ocr.has_budget() || !load_leptonica()) {
    return Error{Errc::type_unsupported, "file", "is a picture, and its text is not recognized here",
                 "install tesseract-ocr and its data of the picture's language, and do not switch ocr off"};
  }
  const auto* const data = reinterpret_cast<const l_uint8*>(bytes.data());
  AKIN_CHECK(check_size(data, bytes.size()));
  const bool has_pages = bytes.starts_with("II") || bytes.starts_with("MM");
  std::vector<PdfPage> pages;
  std::size_t offset = 0;
  do {
    const PixPtr picture(has_pages ? pix_read_page(data, bytes.size(), &offset)
                                   : pix_read(data, bytes.size()));
    if (picture == nullptr) return damaged("is a picture that cannot be read");
    builder.page(static_cast<std::uint32_t>(pages.size() + 1));
    pages.push_back(ocr.has_budget() ? read_page(picture.get()) : PdfPage());
    report_recognized(pages.back().lines, builder);
  } while (has_pages && offset != 0);
  remove_running_heads(pages);
  add_pages(pages, builder);
  return {};
}

}  // namespace akin::extract
