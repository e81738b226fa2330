#include "extract/child/page/pdf_view.h"

#include <TextOutputDev.h>
#include <splash/SplashBitmap.h>
#include <splash/SplashErrorCodes.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "extract/child/errors.h"
#include "extract/child/page/djvu_view.h"
#include "extract/child/page/pdf_drawing.h"
#include "extract/child/page/pdf_text.h"
#include "extract/child/page/picture.h"
#include "extract/formats/formats.h"

namespace akin::extract {

namespace {

constexpr int kJpegQuality = 80;

Result<std::string> jpeg_of(SplashBitmap& bitmap, int dots) {
  char* bytes = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = ::open_memstream(&bytes, &size);
  if (stream == nullptr) return damaged("has a page that cannot be drawn");
  SplashBitmap::WriteImgParams parameters;
  parameters.jpegQuality = kJpegQuality;
  const SplashError failure = bitmap.writeImgFile(splashFormatJpeg, stream, dots, dots, &parameters);
  std::fclose(stream);
  const std::unique_ptr<char, decltype(&std::free)> owned(bytes, &std::free);
  if (failure != splashOk || size == 0) return damaged("has a page that cannot be drawn");
  return std::string(bytes, size);
}

PlacedWord place(const TextWord& word, double scale, const PageWords& page) {
  double left = 0, top = 0, right = 0, bottom = 0;
  word.getBBox(&left, &top, &right, &bottom);
  const auto pixel = [scale](double points, std::uint32_t most) {
    return static_cast<std::uint32_t>(std::clamp(std::round(points * scale), 0.0, static_cast<double>(most)));
  };
  PlacedWord placed{.text = {},
                    .left = pixel(left, page.width),
                    .top = pixel(top, page.height),
                    .right = pixel(right, page.width),
                    .bottom = pixel(bottom, page.height)};
  for (int i = 0; i < word.getLength(); ++i) append_characters(placed.text, word.getChar(i), 1);
  return placed;
}

/// The words that `text` has of a page of this size.
PageWords words_of(const TextOutputDev& text, const std::set<std::string>& missing, double scale,
                   PageWords page) {
  for_each_line(text, [&](const TextLine& line, std::uint32_t) {
    for (const TextWord* word = line.getWords(); word != nullptr; word = word->getNext()) {
      if (page.words.size() == kMostPlacedWords) return;
      PlacedWord placed = place(*word, scale, page);
      if (placed.left > placed.right || placed.top > placed.bottom) continue;
      const GooString* const font = word->getLength() > 0 ? word->getFontName(0) : nullptr;
      placed.is_drawn = font == nullptr || !missing.contains(font->toStr());
      page.words.push_back(std::move(placed));
    }
  });
  return page;
}

std::uint32_t pixels(double points, double scale) {
  return static_cast<std::uint32_t>(std::clamp(std::round(points * scale), 1.0, kMostViewPixels));
}

PageWords size_of(PDFDoc& document, int number, double scale) {
  const bool lies = document.getPageRotate(number) % 180 != 0;
  const double width = document.getPageCropWidth(number), height = document.getPageCropHeight(number);
  return {.width = pixels(lies ? height : width, scale),
          .height = pixels(lies ? width : height, scale),
          .words = {}};
}

}  // namespace

Error no_such_page(int pages, std::uint32_t page) {
  return damaged("has " + std::to_string(pages) + " pages, and no page " + std::to_string(page));
}

Result<std::string> encode_jpeg(std::string_view rgb, const PageWords& size, int dots) {
  SplashBitmap bitmap(static_cast<int>(size.width), static_cast<int>(size.height), 1, splashModeRGB8, false);
  const std::size_t row = std::size_t{3} * size.width;
  if (bitmap.getDataPtr() == nullptr || rgb.size() != row * size.height)
    return damaged("has a page that cannot be drawn");
  std::ranges::copy(rgb, bitmap.getDataPtr());
  return jpeg_of(bitmap, dots);
}

Result<PagePicture> draw_page(const PictureRequest& request) {
  const FileType type = type_of(request.bytes);
  if (type == FileType::djvu) return draw_djvu_page(request);
  if (type == FileType::picture) return draw_picture(request);
  PDFDoc document(
      new MemStream(request.bytes.data(), 0, static_cast<Goffset>(request.bytes.size()), Object(objNull)));
  if (!document.isOk()) return unreadable(document);
  const auto number = static_cast<int>(std::min<std::uint32_t>(request.page, 1U << 30U));
  if (number < 1 || number > document.getNumPages())
    return no_such_page(document.getNumPages(), request.page);
  const int dots = dots_for(document, number, kViewResolution, kMostViewPixels);
  SplashColor paper = {0xFF, 0xFF, 0xFF, 0xFF};
  PdfDrawing drawing(splashModeRGB8, paper, document);
  document.displayPage(&drawing, number, dots, dots, 0, false, true, false);
  SplashBitmap* const bitmap = drawing.getBitmap();
  if (bitmap == nullptr || bitmap->getDataPtr() == nullptr) return damaged("has a page that cannot be drawn");
  PagePicture picture;
  picture.width = static_cast<std::uint32_t>(bitmap->getWidth());
  picture.height = static_cast<std::uint32_t>(bitmap->getHeight());
  AKIN_TRY(picture.jpeg, jpeg_of(*bitmap, dots));
  TextOutputDev text(nullptr, false, 0, false, false);
  document.displayPage(&text, number, kPointsPerInch, kPointsPerInch, 0, false, true, false);
  PageWords page{.width = picture.width, .height = picture.height, .words = {}};
  picture.words = words_of(text, drawing.missing_fonts(), dots / kPointsPerInch, std::move(page)).words;
  return picture;
}

Result<std::vector<PageWords>> place_words(std::string_view bytes) {
  if (type_of(bytes) == FileType::djvu) return place_djvu_pages(bytes);
  PDFDoc document(new MemStream(bytes.data(), 0, static_cast<Goffset>(bytes.size()), Object(objNull)));
  if (!document.isOk()) return unreadable(document);
  const int count = std::min(document.getNumPages(), static_cast<int>(kMostPlacedPages));
  std::vector<PageWords> pages;
  std::size_t words = 0;
  for (int number = 1; number <= count && words < kMostWordsOfFile; ++number) {
    const double scale = dots_for(document, number, kViewResolution, kMostViewPixels) / kPointsPerInch;
    TextOutputDev text(nullptr, false, 0, false, false);
    document.displayPage(&text, number, kPointsPerInch, kPointsPerInch, 0, false, true, false);
    pages.push_back(words_of(text, {}, scale, size_of(document, number, scale)));
    words += pages.back().words.size();
  }
  return pages;
}

}  // namespace akin::extract
