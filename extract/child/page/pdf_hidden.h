// The hidden text of the pages of a PDF, without what printing and cutting pages leave in honest files.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/child/builder.h"
#include "extract/child/page/pdf_page.h"

namespace akin::extract {

struct HiddenOnPage {
  std::uint32_t page = 0;  ///< from 1
  HiddenText hidden;       ///< all but the following
  HiddenText beside;       ///< in the page's margin, outside of the page, or of the area that is drawn at
};

/// Adds the hidden text of all pages, in their order, to the builder, but for that without a letter and the
/// name of a program that writes it into each file. kRepeatingPages or more that hide the same but for
/// numbers, as the notes of printers are, count as one, two if it is beside their text. That counts on a page
/// that has kFewBeside code points of it, unless its neighbours show it: programs cut the halves of a spread
/// so.
void report_hidden(const std::vector<HiddenOnPage>& hidden, const std::vector<PdfPage>& pages,
                   DocumentBuilder& builder);
inline constexpr std::size_t kFewBeside = 250;

}  // namespace akin::extract
