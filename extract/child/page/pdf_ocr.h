// What the pages of a PDF show, drawn and then recognized.
#pragma once

#include <PDFDoc.h>

#include <cstdint>
#include <string>
#include <vector>

#include "extract/child/page/pdf_page.h"

namespace akin::extract {

/// What a page shows, its lines with places as the page has them; no lines if nothing is recognized. Letters
/// of a font that is not embedded are not drawn. Takes one page of the budget of Ocr::of_process().
[[nodiscard]] PdfPage shown_page(PDFDoc& document, int number);

/// How much of a page's text is not what it shows.
struct Difference {
  std::uint64_t letters = 0, differing = 0;  ///< of the lines that were compared
  std::string sample;                        ///< the line that differs most, " | " and what it shows
};

/// Whether enough lines are of letters that can be recognized.
[[nodiscard]] bool can_compare(const PdfPage& page);
/// Compares a few lines of the page, in fonts that are embedded. Letters count as the same whatever their
/// case, marks and script are, if they look alike.
[[nodiscard]] Difference compare_with_shown(PDFDoc& document, int number, const PdfPage& page);

}  // namespace akin::extract
