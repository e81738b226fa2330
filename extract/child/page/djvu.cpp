#include <libdjvu/ddjvuapi.h>
#include <libdjvu/miniexp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/bytes.h"
#include "extract/child/errors.h"
#include "extract/child/page/djvu_text.h"
#include "extract/child/page/djvu_view.h"
#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_page.h"
#include "extract/child/page/pdf_view.h"
#include "extract/child/page/seen_letters.h"
#include "extract/child/readers.h"
#include "extract/child/sandbox.h"

namespace akin::extract {

namespace {

constexpr int kMostDjvuPages = 100000;

struct ReleaseContext {
  void operator()(ddjvu_context_t* context) const noexcept { ddjvu_context_release(context); }
};
struct ReleaseDocument {
  void operator()(ddjvu_document_t* document) const noexcept { ddjvu_document_release(document); }
};
struct ReleasePage {
  void operator()(ddjvu_page_t* page) const noexcept { ddjvu_page_release(page); }
};
struct ReleaseFormat {
  void operator()(ddjvu_format_t* format) const noexcept { ddjvu_format_release(format); }
};
using DjvuPage = std::unique_ptr<ddjvu_page_t, ReleasePage>;
using PixelFormat = std::unique_ptr<ddjvu_format_t, ReleaseFormat>;
using Context = std::unique_ptr<ddjvu_context_t, ReleaseContext>;
using DjvuDocument = std::unique_ptr<ddjvu_document_t, ReleaseDocument>;

/// The length of its outermost chunk is in the file: djvulibre reads what there is of a file that was cut
/// off.
bool is_cut_off(std::string_view bytes) {
  constexpr std::size_t kLength = 8, kHead = 12;
  if (bytes.size() < kHead) return true;
  return bytes.size() - kHead < load_u32_big_endian(bytes.data() + kLength);
}

/// Gives djvulibre what it asks for: the file. Other files, of which some documents consist, it does not get.
void answer_messages(ddjvu_context_t* context, std::string_view bytes) {
  while (const ddjvu_message_t* message = ddjvu_message_peek(context)) {
    if (message->m_any.tag == DDJVU_NEWSTREAM) {
      ddjvu_document_t* document = message->m_any.document;
      const int stream = message->m_newstream.streamid;
      if (stream == 0) ddjvu_stream_write(document, stream, bytes.data(), bytes.size());
      ddjvu_stream_close(document, stream, stream == 0 ? 0 : 1);
    }
    ddjvu_message_pop(context);
  }
}

/// A part of a document, which djvulibre keeps until it is released.
class Expression {
 public:
  Expression(ddjvu_document_t* document, miniexp_t expression)
      : document_(document), expression_(expression) {}
  ~Expression() { ddjvu_miniexp_release(document_, expression_); }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  [[nodiscard]] miniexp_t get() const noexcept { return expression_; }
  /// Neither a list nor empty: it could not be read.
  [[nodiscard]] bool failed() const noexcept {
    return expression_ != miniexp_nil && miniexp_consp(expression_) == 0;
  }

 private:
  ddjvu_document_t* document_;
  miniexp_t expression_;
};

/// The names of BibTeX and those of PDF, which tools write side by side.
void read_annotations(miniexp_t annotations, FileMetadata& metadata) {
  const std::unique_ptr<miniexp_t, decltype(&std::free)> keys(ddjvu_anno_get_metadata_keys(annotations),
                                                              &std::free);
  if (keys == nullptr) return;
  for (const miniexp_t* key = keys.get(); *key != nullptr; ++key) {
    const char* value = ddjvu_anno_get_metadata(annotations, *key);
    if (value == nullptr || miniexp_to_name(*key) == nullptr) continue;
    const std::string name = ascii_lower(miniexp_to_name(*key));
    std::string text = djvu_utf8({value}).front();
    if (name == "title" && metadata.title.empty())
      metadata.title = std::move(text);
    else if (name == "author" && metadata.authors.empty())
      metadata.authors.push_back(std::move(text));
    else if (name == "language" && metadata.language.empty())
      metadata.language = std::move(text);
    else if ((name == "year" || name == "date") && metadata.date.empty())
      metadata.date = std::move(text);
    else if (name == "isbn" || name == "doi" || name == "identifier")
      metadata.identifiers.push_back(std::move(text));
  }
}

void read_metadata(ddjvu_document_t* document, FileMetadata& metadata) {
  const Expression shared(document, ddjvu_document_get_anno(document, 1));
  if (!shared.failed()) read_annotations(shared.get(), metadata);
  const Expression first(document, ddjvu_document_get_pageanno(document, 0));
  if (!first.failed()) read_annotations(first.get(), metadata);
}

Error unreadable_page(int number) {
  return damaged("its page " + std::to_string(number + 1) + " cannot be read");
}

/// A page without a text layer has no lines.
Result<PdfPage> read_page(ddjvu_document_t* document, int number) {
  ddjvu_pageinfo_t info{};
  if (ddjvu_document_get_pageinfo(document, number, &info) != DDJVU_JOB_OK) return unreadable_page(number);
  const Expression text(document, ddjvu_document_get_pagetext(document, number, "word"));
  if (text.failed()) return unreadable_page(number);
  if (text.get() == miniexp_nil) return PdfPage();
  return make_djvu_page(text.get(), {.width = info.width, .height = info.height, .dpi = info.dpi});
}

/// An open document, and what djvulibre needs to decode its pages.
struct OpenDjvu {
  Context context;
  DjvuDocument document;
  std::string_view bytes;
};

/// Null if the page cannot be decoded.
DjvuPage decoded_page(const OpenDjvu& djvu, int number) {
  DjvuPage page(ddjvu_page_create_by_pageno(djvu.document.get(), number));
  while (page != nullptr && !ddjvu_page_decoding_done(page.get())) {
    ddjvu_message_wait(djvu.context.get());
    answer_messages(djvu.context.get(), djvu.bytes);
  }
  if (page == nullptr || ddjvu_page_decoding_error(page.get())) return nullptr;
  return page;
}

/// The pixels of a page in a picture of this size, row by row from the top; empty if it cannot be drawn.
std::string drawn(ddjvu_page_t* page, ddjvu_format_style_t style, unsigned width, unsigned height) {
  const PixelFormat format(ddjvu_format_create(style, 0, nullptr));
  if (format == nullptr) return {};
  ddjvu_format_set_row_order(format.get(), 1);
  const std::size_t row = std::size_t{width} * (style == DDJVU_FORMAT_RGB24 ? 3 : 1);
  std::string pixels(row * height, '\xff');
  const ddjvu_rect_t whole{0, 0, width, height};
  if (ddjvu_page_render(page, DDJVU_RENDER_COLOR, &whole, &whole, format.get(), row, pixels.data()) == 0)
    return {};
  return pixels;
}

/// The lines that a page without a text layer shows, at the resolution that tesseract's models are made for;
/// no lines if nothing is recognized. Takes one page of the budget of Ocr::of_process().
PdfPage shown_page(const OpenDjvu& djvu, int number) {
  constexpr double kResolution = 300, kPointsPerInch = 72;
  const DjvuPage page = decoded_page(djvu, number);
  if (page == nullptr) return {};
  const double width = ddjvu_page_get_width(page.get()), height = ddjvu_page_get_height(page.get());
  const double own_resolution = std::max(ddjvu_page_get_resolution(page.get()), 1);
  if (width < 1 || height < 1) return {};
  const double most = std::sqrt(static_cast<double>(Ocr::of_process().options().pixels) / width / height);
  const double scale = std::min(kResolution / own_resolution, most);
  const auto scaled = [&](double side) {
    return static_cast<unsigned>(std::max(std::floor(side * scale), 1.0));
  };
  const std::string pixels = drawn(page.get(), DDJVU_FORMAT_GREY8, scaled(width), scaled(height));
  if (pixels.empty()) return {};
  const double resolution = own_resolution * scale;
  const auto columns = static_cast<int>(scaled(width)), rows = static_cast<int>(scaled(height));
  const GreyPicture picture{reinterpret_cast<const unsigned char*>(pixels.data()), columns, rows, columns,
                            static_cast<int>(std::lround(resolution))};
  return page_of(Ocr::of_process().read(picture), picture, kPointsPerInch / resolution);
}

Result<void> check_document(ddjvu_document_t* document) {
  if (ddjvu_document_decoding_status(document) != DDJVU_JOB_OK)
    return damaged("is a DjVu document that cannot be opened");
  const ddjvu_document_type_t type = ddjvu_document_get_type(document);
  if (type == DDJVU_DOCTYPE_INDIRECT || type == DDJVU_DOCTYPE_OLD_INDEXED) {
    return Error{Errc::type_unsupported, "file",
                 "is the index of a DjVu document whose pages are files of their own",
                 "bundle them: djvmcvt -b INDEX.djvu BOOK.djvu"};
  }
  const int pages = ddjvu_document_get_pagenum(document);
  if (pages <= 0) return damaged("is a DjVu document without pages");
  if (pages > kMostDjvuPages) return too_large("has more than " + std::to_string(kMostDjvuPages) + " pages");
  return {};
}

Result<OpenDjvu> open_djvu(std::string_view bytes) {
  if (is_cut_off(bytes)) return damaged("is a DjVu document that ends before its chunks do; it was cut off");
  OpenDjvu djvu{Context(ddjvu_context_create("akin-extract")), nullptr, bytes};
  if (djvu.context == nullptr) return exhausted_memory();
  djvu.document.reset(ddjvu_document_create(djvu.context.get(), nullptr, 0));
  if (djvu.document == nullptr) return exhausted_memory();
  while (!ddjvu_document_decoding_done(djvu.document.get())) {
    ddjvu_message_wait(djvu.context.get());
    answer_messages(djvu.context.get(), bytes);
  }
  AKIN_CHECK(check_document(djvu.document.get()));
  return djvu;
}

/// The words of a page in a picture for a screen.
struct View {
  PageWords page;
  int dots = 0;
};

Result<View> view_page(const OpenDjvu& djvu, int number) {
  ddjvu_pageinfo_t info{};
  if (ddjvu_document_get_pageinfo(djvu.document.get(), number, &info) != DDJVU_JOB_OK || info.width < 1 ||
      info.height < 1)
    return unreadable_page(number);
  const double own = std::max(info.dpi, 1), most = std::sqrt(kMostViewPixels / info.width / info.height);
  const double scale = std::min({kViewResolution / own, most, 1.0});
  const auto pixels = [scale](int length) {
    return static_cast<std::uint32_t>(std::max(std::lround(length * scale), 1L));
  };
  View view{.page = {.width = pixels(info.width), .height = pixels(info.height), .words = {}},
            .dots = static_cast<int>(std::lround(own * scale))};
  const Expression text(djvu.document.get(),
                        ddjvu_document_get_pagetext(djvu.document.get(), number, "word"));
  answer_messages(djvu.context.get(), djvu.bytes);
  if (!text.failed())
    place_djvu_words(text.get(), {.width = info.width, .height = info.height, .dpi = info.dpi}, view.page);
  return view;
}

}  // namespace

Result<PagePicture> draw_djvu_page(const PictureRequest& request) {
  AKIN_TRY(const OpenDjvu djvu, open_djvu(request.bytes));
  const int pages = ddjvu_document_get_pagenum(djvu.document.get());
  const auto number = static_cast<int>(std::min<std::uint32_t>(request.page, 1U << 30U));
  if (number < 1 || number > pages) return no_such_page(pages, request.page);
  AKIN_TRY(View view, view_page(djvu, number - 1));
  const DjvuPage page = decoded_page(djvu, number - 1);
  if (page == nullptr) return unreadable_page(number - 1);
  PagePicture picture{.jpeg = {}, .width = view.page.width, .height = view.page.height, .words = {}};
  AKIN_TRY(picture.jpeg, encode_jpeg(drawn(page.get(), DDJVU_FORMAT_RGB24, picture.width, picture.height),
                                     view.page, view.dots));
  picture.words = std::move(view.page.words);
  return picture;
}

Result<std::vector<PageWords>> place_djvu_pages(std::string_view bytes) {
  AKIN_TRY(const OpenDjvu djvu, open_djvu(bytes));
  const int count =
      std::min(ddjvu_document_get_pagenum(djvu.document.get()), static_cast<int>(kMostPlacedPages));
  std::vector<PageWords> pages;
  std::size_t words = 0;
  for (int number = 0; number < count && words < kMostWordsOfFile; ++number) {
    AKIN_TRY(View view, view_page(djvu, number));
    words += view.page.words.size();
    pages.push_back(std::move(view.page));
  }
  return pages;
}

Result<void> read_djvu(std::string_view bytes, DocumentBuilder& builder) {
  AKIN_TRY(const OpenDjvu djvu, open_djvu(bytes));
  ddjvu_document_t* const document = djvu.document.get();
  read_metadata(document, builder.metadata());
  std::vector<PdfPage> pages;
  std::uint64_t size = 0;
  const int count = ddjvu_document_get_pagenum(document);
  for (int number = 0; number < count && size <= builder.most_bytes(); ++number) {
    AKIN_TRY(PdfPage page, read_page(document, number));
    answer_messages(djvu.context.get(), bytes);
    builder.page(static_cast<std::uint32_t>(number) + 1);
    if (page.lines.empty()) {
      if (Ocr::of_process().has_budget()) page = shown_page(djvu, number);
      report_recognized(page, builder);
    }
    for (const PdfLine& line : page.lines) size += line.text.size();
    pages.push_back(std::move(page));
    add_pages_read(1);
  }
  give_one_size(pages);
  remove_running_heads(pages);
  add_pages(pages, builder);
  return {};
}

}  // namespace akin::extract
