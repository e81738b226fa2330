// What of a line is compared with what it shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_page.h"

namespace akin::extract {

/// Whether nearly all characters are Latin or Cyrillic letters, which tesseract's data may know.
[[nodiscard]] bool is_recognizable(std::string_view utf8);
/// Its letters: small, without marks, and Latin where Cyrillic ones look so.
[[nodiscard]] std::u32string seen_letters(std::string_view utf8);
/// Letters to insert, remove or replace, at the least.
[[nodiscard]] std::size_t edits_between(std::u32string_view a, std::u32string_view b);

/// A page of what was recognized in a picture of this size: lines of one size, and where their words are.
[[nodiscard]] PdfPage page_of(std::vector<OcrLine> recognized, const GreyPicture& picture,
                              double points_per_pixel);

/// Reports the lines of the builder's page as recognized, and takes its words for it; reports the page as one
/// without text if there are no lines.
void report_recognized(PdfPage& page, DocumentBuilder& builder);

}  // namespace akin::extract
