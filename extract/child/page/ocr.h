// Recognition of text in pictures by tesseract, where it is installed. It is loaded for the first file that
// may need it, before that file's sandbox is closed: its program and data are then in memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "extract/ocr_options.h"

struct Pix;

namespace akin::extract {

/// A picture in shades of grey, a byte for each pixel, rows from the top.
struct GreyPicture {
  const unsigned char* data = nullptr;
  int width = 0, height = 0;
  int row_bytes = 0;
  int dots_per_inch = 0;
};

/// In pixels, y downwards.
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;
};

struct OcrWord {
  std::string text;  ///< UTF-8, never empty
  PixelBox box;
};

struct OcrLine {
  std::string text;  ///< UTF-8, one line, never empty
  PixelBox box;
  std::vector<OcrWord> words;
  std::uint32_t block = 0;  ///< lines of one block are one column of lines
  double confidence = 0;    ///< 0 to 100
};

/// The tesseract of this process, used by one thread.
class Ocr {
 public:
  [[nodiscard]] static Ocr& of_process();

  /// Once, before all else.
  void configure(OcrOptions options) { options_ = std::move(options); }
  [[nodiscard]] const OcrOptions& options() const noexcept { return options_; }
  /// Loads the library and the data of the languages, on the first call only. Call before close_sandbox.
  void load();
  /// Whether pages of this file may be recognized, and its text compared with what it shows. Its time begins
  /// now.
  void begin_file(bool recognizes, bool samples);
  /// Whether text may be compared with what it shows.
  [[nodiscard]] bool samples() const noexcept { return samples_; }
  /// Whether another page may be recognized: tesseract is there, and neither pages nor time are used up.
  [[nodiscard]] bool has_budget() const;

  /// The lines of a page, in reading order; none if nothing is recognized. Takes one of the file's pages.
  [[nodiscard]] std::vector<OcrLine> read(const GreyPicture& picture);
  /// The same for one line of a picture. Takes no page.
  [[nodiscard]] OcrLine read_line(const GreyPicture& picture, const PixelBox& box);
  /// The same as read for a picture of leptonica.
  [[nodiscard]] std::vector<OcrLine> read(::Pix* picture, int dots_per_inch);

 private:
  [[nodiscard]] bool recognize();
  [[nodiscard]] std::vector<OcrLine> lines();

  OcrOptions options_;
  bool tried_ = false, recognizes_ = false, samples_ = false;
  void* engine_ = nullptr;  ///< TessBaseAPI, which lives as long as the process
  std::uint32_t pages_ = 0;
  std::chrono::steady_clock::time_point until_;
};

}  // namespace akin::extract
