#include "cli/frame/table.h"

#include <gtest/gtest.h>

namespace akin::cli {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCellInCodePoints) {
  Table table({Table::Align::left, Table::Align::right, Table::Align::left});
  table.add({"мама", "1", "x"});
  table.add({"ы", "1000", ""});
  EXPECT_EQ(table.text(),
            "мама     1  x\n"
            "ы     1000\n");
}

TEST(Table, ShowsControlCharacters) {
  Table table({Table::Align::left});
  table.add({"a\u009bb"});
  EXPECT_EQ(table.text(), "a\\xc2\\x9bb\n");
}

TEST(Table, WithoutRowsPrintsNothing) { EXPECT_EQ(Table({Table::Align::left}).text(), ""); }

}  // namespace
}  // namespace akin::cli
