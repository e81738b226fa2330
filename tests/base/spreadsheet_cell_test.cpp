#include "base/spreadsheet_cell.h"

#include <gtest/gtest.h>

#include <array>

namespace akin {
namespace {

TEST(SpreadsheetCell, FormulasStandBehindAnApostrophe) {
  EXPECT_EQ(guarded_cell("=cmd()"), "'=cmd()");
  EXPECT_EQ(guarded_cell("+7 495"), "'+7 495");
  EXPECT_EQ(guarded_cell("-"), "'-");
  EXPECT_EQ(guarded_cell("@home"), "'@home");
  EXPECT_EQ(guarded_cell("\t=1"), "'\t=1");
  EXPECT_EQ(guarded_cell("\r=1"), "'\r=1");
  EXPECT_EQ(guarded_cell("Title = text"), "Title = text");
  EXPECT_EQ(guarded_cell("'Tis"), "'Tis");
  EXPECT_EQ(guarded_cell(""), "");
}

TEST(SpreadsheetCell, WhatIsGuardedIsReadBackAsItWas) {
  constexpr std::array<char, 5> kSigns = {'=', '-', '\'', 'x', ' '};
  for (std::size_t code = 0; code < 5 * 5 * 5 * 5; ++code) {
    std::string cell;
    for (std::size_t rest = code; rest > 0; rest /= 5) cell += kSigns.at(rest % 5);
    EXPECT_EQ(unguarded_cell(guarded_cell(cell)), cell);
    EXPECT_EQ(std::string("=+-@").find(guarded_cell(cell).substr(0, 1)) == std::string::npos || cell.empty(),
              true)
        << cell;
  }
}

TEST(SpreadsheetCell, WhatNobodyGuardedStays) {
  EXPECT_EQ(unguarded_cell("=x"), "=x");
  EXPECT_EQ(unguarded_cell("books/one.txt"), "books/one.txt");
  EXPECT_EQ(unguarded_cell("'Tis"), "'Tis");
}

}  // namespace
}  // namespace akin
