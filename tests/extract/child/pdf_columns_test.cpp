// In which order a page of columns is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extract/child/page/pdf_page.h"
#include "extract/child/readers.h"
#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

using ::testing::ElementsAreArray;

std::string line_at(int x, int y, const std::string& text) {
  return "BT /F 12 Tf " + std::to_string(x) + " " + std::to_string(y) + " Td (" + text + ") Tj ET\n";
}

/// A page of two columns, whose paragraphs end after 8 and 16 lines in both.
TEST(Columns, AreReadOneAfterTheOtherWhereParagraphsEndAtOneHeight) {
  static const bool warm = (warm_up_pdf(), true);
  EXPECT_TRUE(warm);
  std::string content, read;
  for (const int x : {60, 320}) {
    int y = 700;
    for (int line = 0; line < 24; ++line, y -= line % 8 == 0 ? 28 : 14) {
      const std::string text = (x == 60 ? "left column" : "right column") + std::string(", and line ") +
                               static_cast<char>('a' + line) + " of it";
      content += line_at(x, y, text);
      read += text;
    }
  }
  std::string found = read_file(make_pdf_of({content}), std::uint64_t{1} << 20U)->text;
  std::erase(found, '\n');
  EXPECT_EQ(found, read);
}

/// Lines of one letter for the column and a number, at their rows.
class MadePage {
 public:
  MadePage() { page_.width = 600, page_.height = 800; }
  MadePage& column(char name, double left, double right, int first_row, int count) {
    for (int row = first_row; row < first_row + count; ++row) {
      PdfLine line;
      line.text = name + std::to_string(row);
      line.left = left, line.right = right, line.size = 10;
      line.top = 15.0 * row, line.bottom = line.top + 10;
      page_.lines.push_back(line);
    }
    return *this;
  }
  [[nodiscard]] std::vector<std::string> order() {
    set_columns_in_order(page_);
    std::vector<std::string> names;
    for (const PdfLine& line : page_.lines) names.push_back(line.text);
    return names;
  }
  [[nodiscard]] std::vector<std::string> as_made() const {
    std::vector<std::string> names;
    for (const PdfLine& line : page_.lines) names.push_back(line.text);
    return names;
  }

 private:
  PdfPage page_;
};

/// That lines that were made as `given` are set as `read` has them.
void expect_order(MadePage given, const MadePage& read) {
  EXPECT_THAT(given.order(), ElementsAreArray(read.as_made()));
}

TEST(Columns, LinesAcrossDivideThem) {
  expect_order(MadePage()
                   .column('t', 50, 550, 0, 1)
                   .column('l', 50, 290, 1, 9)
                   .column('r', 310, 550, 1, 9)
                   .column('l', 50, 290, 10, 11)
                   .column('r', 310, 550, 10, 11)
                   .column('t', 50, 550, 21, 1)
                   .column('l', 50, 290, 22, 10)
                   .column('r', 310, 550, 22, 10),
               MadePage()
                   .column('t', 50, 550, 0, 1)
                   .column('l', 50, 290, 1, 20)
                   .column('r', 310, 550, 1, 20)
                   .column('t', 50, 550, 21, 1)
                   .column('l', 50, 290, 22, 10)
                   .column('r', 310, 550, 22, 10));
}

TEST(Columns, MayBeThree) {
  expect_order(
      MadePage()
          .column('a', 50, 200, 0, 10)
          .column('b', 220, 370, 0, 10)
          .column('c', 390, 550, 0, 10)
          .column('a', 50, 200, 10, 10)
          .column('b', 220, 370, 10, 10)
          .column('c', 390, 550, 10, 10),
      MadePage().column('a', 50, 200, 0, 20).column('b', 220, 370, 0, 20).column('c', 390, 550, 0, 20));
}

TEST(Columns, RowsOfTablesStay) {
  MadePage rows, narrow, few;
  for (int row = 0; row < 20; ++row) rows.column('q', 50, 290, row, 1).column('a', 310, 550, row, 1);
  for (int row = 0; row < 40; row += 10) narrow.column('n', 50, 140, row, 10).column('v', 160, 550, row, 10);
  few.column('l', 50, 290, 0, 3).column('r', 310, 550, 0, 3).column('l', 50, 290, 3, 3);
  for (MadePage* page : {&rows, &narrow, &few}) {
    const std::vector<std::string> made = page->as_made();
    EXPECT_THAT(page->order(), ElementsAreArray(made));
  }
}

}  // namespace
}  // namespace akin::extract
