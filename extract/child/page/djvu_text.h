// The text layer of a DjVu page: nested zones (column, region, paragraph, line, word) with boxes, as lines.
#pragma once

#include <libdjvu/miniexp.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "extract/child/page/pdf_page.h"
#include "extract/client/picture_answer.h"

namespace akin::extract {

/// Of a page, in pixels.
struct DjvuSize {
  int width = 0, height = 0;
  int dpi = 0;
};

/// The lines of `zones`, the text of a page in the form of djvused(1), in their order there. Error:
/// file_damaged (zones that are nested too deep).
[[nodiscard]] Result<PdfPage> make_djvu_page(miniexp_t zones, const DjvuSize& size);

/// Adds the words of `zones` to a page, with their places in a picture of its size; a line whose words have
/// no places is one of them. None after kMostPlacedWords.
void place_djvu_words(miniexp_t zones, const DjvuSize& size, PageWords& page);

/// Gives all lines the size of the median: a line's box depends on the letters that are in it.
void give_one_size(std::vector<PdfPage>& pages);

/// The texts in UTF-8. Old programs wrote another encoding, which is found from all the texts together.
[[nodiscard]] std::vector<std::string> djvu_utf8(std::vector<std::string> texts);

}  // namespace akin::extract
