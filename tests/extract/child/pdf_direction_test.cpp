// Lines of a PDF as they are seen, and as they are read.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extract/child/page/pdf_page.h"

namespace akin::extract {
namespace {

struct Row {
  std::string seen, read;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.read; }
class SeenLine : public ::testing::TestWithParam<Row> {};

TEST_P(SeenLine, IsReadInItsOrder) {
  PdfPage page;
  page.width = 100;
  page.lines.push_back({.text = GetParam().seen, .left = 10, .right = 90});
  set_in_read_order(page);
  EXPECT_EQ(page.lines[0].text, GetParam().read);
}

INSTANTIATE_TEST_SUITE_P(Rows, SeenLine,
                         ::testing::Values(Row{"The miller (of 1886).", "The miller (of 1886)."},
                                           Row{"Мельник держал гусей.", "Мельник держал гусей."},
                                           Row{".םירופא םיזווא ינש", "שני אווזים אפורים."},
                                           Row{"דוע 1886 תנשב", "בשנת 1886 עוד"},
                                           Row{"(ידוהי) רפס", "ספר (יהודי)"}, Row{"PDF ץבוק", "קובץ PDF"},
                                           Row{"the word רפס is a book", "the word ספר is a book"},
                                           Row{"باتك", "كتاب"}));

TEST(SeenPage, FromRightToLeftIsMirrored) {
  PdfPage page;
  page.width = 100;
  page.lines = {{.text = "ינש", .left = 60, .right = 90}, {.text = "PDF", .left = 20, .right = 30}};
  page.lines[0].text += " םיזווא";
  set_in_read_order(page);
  EXPECT_EQ(page.lines[0].left, 10);
  EXPECT_EQ(page.lines[0].right, 40);
  EXPECT_EQ(page.lines[1].left, 70);
}

TEST(SeenPage, FromLeftToRightStays) {
  PdfPage page;
  page.width = 100;
  page.lines = {{.text = "Two geese", .left = 10, .right = 70}};
  set_in_read_order(page);
  EXPECT_EQ(page.lines[0].left, 10);
}

}  // namespace
}  // namespace akin::extract
