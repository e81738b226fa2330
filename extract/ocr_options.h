// How much of a file's pictures is recognized as text.
#pragma once

#include <cstdint>
#include <string>

namespace akin::extract {

/// What is done about pages beside reading their text.
enum class Sampling : std::uint8_t {
  off,
  on,     ///< a sample of a PDF's text is compared with what its pages show, which takes a tenth of a second
  brief,  ///< the same, but a file with text to be recognized, which may take minutes, is refused: busy
};

struct OcrOptions {
  bool on = true;  ///< where tesseract is installed
  std::string languages =
      "rus+eng";               ///< tesseract's names of its data; those that are not installed are left out
  std::uint32_t pages = 50;    ///< of each file
  std::uint32_t seconds = 60;  ///< of each file, beside the time to read it
  std::uint64_t pixels = 40'000'000;  ///< of a page; a larger one is shown smaller, a larger picture refused
  std::uint32_t sample_pages = 1;     ///< of a PDF whose text is compared with what it shows
};

}  // namespace akin::extract
