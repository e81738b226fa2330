#include "cli/frame/csv.h"

#include <gtest/gtest.h>

namespace akin::cli {
namespace {

TEST(CsvLine, JoinsFieldsByCommas) { EXPECT_EQ(csv_line({"a", "b c", "0.5"}), "a,b c,0.5\n"); }

TEST(CsvLine, QuotesWhatWouldBreakTheLine) {
  EXPECT_EQ(csv_line({"a,b", "say \"yes\"", "two\nlines"}), "\"a,b\",\"say \"\"yes\"\"\",\"two\nlines\"\n");
  EXPECT_EQ(csv_line({"an old\rline", "b"}), "\"an old\rline\",b\n");
}

TEST(CsvLine, KeepsEmptyFields) { EXPECT_EQ(csv_line({"a", "", "b"}), "a,,b\n"); }

}  // namespace
}  // namespace akin::cli
