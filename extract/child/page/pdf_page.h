// The lines of the pages of a PDF or a DjVu, in reading order, and which of them are what.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "extract/child/builder.h"

namespace akin::extract {

/// One line of a page. Lengths in points, y downwards from the top of the page.
struct PdfLine {
  std::string text;  ///< UTF-8, words separated by one blank
  double left = 0, top = 0, right = 0, bottom = 0;
  double size = 0;          ///< of most of its letters
  std::uint32_t block = 0;  ///< lines of one block are one column of lines; from 0 on each page
  double first_size = 0;    ///< of its first word, and where its second one begins; 0 if it has one word
  double second_left = 0;
};

struct PdfPage {
  double width = 0, height = 0;
  std::vector<PdfLine> lines;          ///< in reading order, columns one after another
  bool blocks_are_paragraphs = false;  ///< the file names its paragraphs: they are not to be guessed
  PageWords recognized = {};           ///< those of which the lines consist, if they were recognized
};

/// Text that nobody sees, and what hides it.
struct HiddenText {
  std::string text;
  HidingSet ways = 0;

  void add(const HiddenText& other) {
    if (!text.empty() && !other.text.empty()) text += ' ';
    text += other.text;
    ways |= other.ways;
  }
};

/// Removes the numbers that count the lines of the text in its margin: four of them or more, or two that
/// count each fifth or tenth line.
void remove_line_numbers(PdfPage& page);

/// Joins an initial that is as high as two lines or more to the line that it begins.
void join_initials(PdfPage& page);

/// Joins the pieces of lines that poppler cuts at wide gaps between words, as justified text has them.
void join_rows(PdfPage& page);

/// Of lines as they are seen, from left to right, makes lines as they are read: Hebrew and Arabic words and
/// their letters in their order. A page that mostly runs from right to left is mirrored, so that its lines
/// begin on the left.
void set_in_read_order(PdfPage& page);

/// Sets the lines of columns of text one column after another, between lines that run across them. Poppler
/// goes from column to column where paragraphs or headings of both end at one height.
void set_columns_in_order(PdfPage& page);

/// The line without its numbers, so that the running lines of all pages are the same. Roman numbers are
/// numbers.
[[nodiscard]] std::string without_numbers(std::string_view text);

/// Pages that repeat a running line at least; of a shorter document, all.
inline constexpr std::size_t kRepeatingPages = 3;

/// Removes lines that many pages repeat at their top or bottom, and page numbers there: what differs between
/// pages in digits only is the same.
void remove_running_heads(std::vector<PdfPage>& pages);

/// The size of the letters of most text; 0 without text.
[[nodiscard]] double body_size(const std::vector<PdfPage>& pages);

/// Adds the text of all pages: lines become paragraphs, which may run over columns and pages; footnotes
/// follow the paragraph that their page ends with. Their numbers begin with 1.
void add_pages(const std::vector<PdfPage>& pages, DocumentBuilder& builder);
/// The same for one page of a document whose pages have no numbers.
void add_page(const PdfPage& page, DocumentBuilder& builder);

}  // namespace akin::extract
