#include "extract/child/page/ocr.h"

#include <tesseract/capi.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"
#include "base/late_library.h"

namespace akin::extract {

namespace {

template <class Function>
using Late = LateFunction<Function>;

constinit Late<decltype(::TessBaseAPICreate)> tess_create{"TessBaseAPICreate"};
constinit Late<decltype(::TessBaseAPIInit3)> tess_init{"TessBaseAPIInit3"};
constinit Late<decltype(::TessBaseAPISetPageSegMode)> tess_set_mode{"TessBaseAPISetPageSegMode"};
constinit Late<decltype(::TessBaseAPISetImage)> tess_set_image{"TessBaseAPISetImage"};
constinit Late<decltype(::TessBaseAPISetImage2)> tess_set_pix{"TessBaseAPISetImage2"};
constinit Late<decltype(::TessBaseAPISetSourceResolution)> tess_set_resolution{
    "TessBaseAPISetSourceResolution"};
constinit Late<decltype(::TessBaseAPISetRectangle)> tess_set_rectangle{"TessBaseAPISetRectangle"};
constinit Late<decltype(::TessBaseAPIRecognize)> tess_recognize{"TessBaseAPIRecognize"};
constinit Late<decltype(::TessBaseAPIGetIterator)> tess_iterator{"TessBaseAPIGetIterator"};
constinit Late<decltype(::TessResultIteratorDelete)> tess_delete_iterator{"TessResultIteratorDelete"};
constinit Late<decltype(::TessResultIteratorGetPageIteratorConst)> tess_page_iterator{
    "TessResultIteratorGetPageIteratorConst"};
constinit Late<decltype(::TessResultIteratorNext)> tess_next{"TessResultIteratorNext"};
constinit Late<decltype(::TessResultIteratorGetUTF8Text)> tess_text{"TessResultIteratorGetUTF8Text"};
constinit Late<decltype(::TessResultIteratorConfidence)> tess_confidence{"TessResultIteratorConfidence"};
constinit Late<decltype(::TessPageIteratorBoundingBox)> tess_box{"TessPageIteratorBoundingBox"};
constinit Late<decltype(::TessPageIteratorIsAtBeginningOf)> tess_begins{"TessPageIteratorIsAtBeginningOf"};
constinit Late<decltype(::TessPageIteratorIsAtFinalElement)> tess_ends{"TessPageIteratorIsAtFinalElement"};
constinit Late<decltype(::TessDeleteText)> tess_delete_text{"TessDeleteText"};
constinit Late<decltype(::TessMonitorCreate)> tess_monitor{"TessMonitorCreate"};
constinit Late<decltype(::TessMonitorDelete)> tess_delete_monitor{"TessMonitorDelete"};
constinit Late<decltype(::TessMonitorSetDeadlineMSecs)> tess_set_deadline{"TessMonitorSetDeadlineMSecs"};

bool load_tesseract() {
  // The sandbox allows no threads.
  ::setenv("OMP_THREAD_LIMIT", "1", 1);
  return load_library(AKIN_TESSERACT, "install it: apt install tesseract-ocr",
                      {&tess_create,        &tess_init,
                       &tess_set_mode,      &tess_set_image,
                       &tess_set_pix,       &tess_set_resolution,
                       &tess_set_rectangle, &tess_recognize,
                       &tess_iterator,      &tess_delete_iterator,
                       &tess_page_iterator, &tess_next,
                       &tess_text,          &tess_confidence,
                       &tess_box,           &tess_begins,
                       &tess_ends,          &tess_delete_text,
                       &tess_monitor,       &tess_delete_monitor,
                       &tess_set_deadline})
      .has_value();
}

TessBaseAPI* engine_of(void* engine) { return static_cast<TessBaseAPI*>(engine); }

constexpr const char* kBlanks = " \t\r\n\f";
/// Of a line; what tesseract makes of a photograph has less.
constexpr double kLeastConfidence = 50;

}  // namespace

Ocr& Ocr::of_process() {
  static Ocr one;
  return one;
}

void Ocr::load() {
  if (tried_ || !options_.on) return;
  tried_ = true;
  if (!load_tesseract()) return;
  TessBaseAPI* const made = tess_create();
  if (made != nullptr && tess_init(made, nullptr, options_.languages.c_str()) == 0) engine_ = made;
}

void Ocr::begin_file(bool recognizes, bool samples) {
  recognizes_ = recognizes && engine_ != nullptr;
  samples_ = samples && engine_ != nullptr;
  pages_ = 0;
  until_ = std::chrono::steady_clock::now() + std::chrono::seconds(options_.seconds);
}

bool Ocr::has_budget() const {
  return recognizes_ && pages_ < options_.pages && std::chrono::steady_clock::now() < until_;
}

bool Ocr::recognize() {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until_ - std::chrono::steady_clock::now());
  ETEXT_DESC* const monitor = tess_monitor();
  tess_set_deadline(monitor, static_cast<int>(std::max<std::int64_t>(left.count(), 1)));
  const bool done = tess_recognize(engine_of(engine_), monitor) == 0;
  tess_delete_monitor(monitor);
  return done && std::chrono::steady_clock::now() < until_;
}

namespace {

std::string text_at(const TessResultIterator* at, TessPageIteratorLevel level) {
  char* const text = tess_text(at, level);
  if (text == nullptr) return {};
  std::string found(trimmed(text, kBlanks));
  tess_delete_text(text);
  std::ranges::replace(found, '\n', ' ');
  return found;
}

PixelBox box_at(const TessPageIterator* place, TessPageIteratorLevel level) {
  PixelBox box;
  tess_box(place, level, &box.left, &box.top, &box.right, &box.bottom);
  return box;
}

/// The words of the line that begins here; moves to the last one.
std::vector<OcrWord> words_at(TessResultIterator* at, const TessPageIterator* place) {
  std::vector<OcrWord> words;
  for (;;) {
    OcrWord word{text_at(at, tesseract::RIL_WORD), box_at(place, tesseract::RIL_WORD)};
    if (!word.text.empty()) words.push_back(std::move(word));
    if (tess_ends(place, tesseract::RIL_TEXTLINE, tesseract::RIL_WORD) != 0) return words;
    if (tess_next(at, tesseract::RIL_WORD) == 0) return words;
  }
}

}  // namespace

std::vector<OcrLine> Ocr::lines() {
  std::vector<OcrLine> all;
  TessResultIterator* const at = tess_iterator(engine_of(engine_));
  if (at == nullptr) return all;
  const TessPageIterator* const place = tess_page_iterator(at);
  std::uint32_t block = 0;
  do {
    if (tess_begins(place, tesseract::RIL_BLOCK) != 0) ++block;
    OcrLine line;
    line.text = text_at(at, tesseract::RIL_TEXTLINE);
    line.confidence = static_cast<double>(tess_confidence(at, tesseract::RIL_TEXTLINE));
    if (line.text.empty() || line.confidence < kLeastConfidence) continue;
    line.box = box_at(place, tesseract::RIL_TEXTLINE);
    line.block = block;
    line.words = words_at(at, place);
    all.push_back(std::move(line));
  } while (tess_next(at, tesseract::RIL_TEXTLINE) != 0);
  tess_delete_iterator(at);
  return all;
}

std::vector<OcrLine> Ocr::read(const GreyPicture& picture) {
  ++pages_;
  tess_set_mode(engine_of(engine_), tesseract::PSM_AUTO);
  tess_set_image(engine_of(engine_), picture.data, picture.width, picture.height, 1, picture.row_bytes);
  tess_set_resolution(engine_of(engine_), picture.dots_per_inch);
  return recognize() ? lines() : std::vector<OcrLine>();
}

std::vector<OcrLine> Ocr::read(::Pix* picture, int dots_per_inch) {
  ++pages_;
  tess_set_mode(engine_of(engine_), tesseract::PSM_AUTO);
  tess_set_pix(engine_of(engine_), picture);
  tess_set_resolution(engine_of(engine_), dots_per_inch);
  return recognize() ? lines() : std::vector<OcrLine>();
}

OcrLine Ocr::read_line(const GreyPicture& picture, const PixelBox& box) {
  tess_set_mode(engine_of(engine_), tesseract::PSM_SINGLE_LINE);
  tess_set_image(engine_of(engine_), picture.data, picture.width, picture.height, 1, picture.row_bytes);
  tess_set_resolution(engine_of(engine_), picture.dots_per_inch);
  tess_set_rectangle(engine_of(engine_), box.left, box.top, box.right - box.left, box.bottom - box.top);
  std::vector<OcrLine> found = recognize() ? lines() : std::vector<OcrLine>();
  return found.empty() ? OcrLine() : std::move(found.front());
}

}  // namespace akin::extract
