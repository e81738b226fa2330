// How an administrator writes filters, and which of them reads a file.
#include "extract/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace akin::extract {
namespace {

using ::testing::ElementsAre;

TEST(Filters, AreATypeAndTheWordsOfACommand) {
  const Result<Filter> filter = parse_filter(" .TeX = detex  -n ");
  ASSERT_TRUE(filter.has_value()) << filter.error().message();
  EXPECT_EQ(filter->type, ".tex");
  EXPECT_THAT(filter->command, ElementsAre("detex", "-n"));
  EXPECT_THAT(parse_filter("application/x-tex=sed s/a=b/c/")->command, ElementsAre("sed", "s/a=b/c/"));
}

TEST(Filters, WithoutATypeOrACommandAreRefused) {
  for (const char* wrong : {"", "detex", "tex=detex", ".=detex", ".tex=", ".tex=  ", "=detex"})
    EXPECT_EQ(parse_filter(wrong).error().code, Errc::invalid_argument) << wrong;
}

TEST(Filters, ReadTheFilesOfTheLongestSuffixAndOfTheSameMediaType) {
  const std::vector<Filter> filters = {*parse_filter(".gz=a"), *parse_filter(".tex.gz=b"),
                                       *parse_filter(".tex.gz=c"), *parse_filter("application/x-tex=d")};
  EXPECT_THAT(filter_of_name(filters, "paper.TEX.gz")->command, ElementsAre("b"));
  EXPECT_THAT(filter_of_name(filters, "paper.gz")->command, ElementsAre("a"));
  EXPECT_EQ(filter_of_name(filters, "application/x-tex"), nullptr);
  EXPECT_THAT(filter_of_media(filters, "application/x-tex")->command, ElementsAre("d"));
  EXPECT_EQ(filter_of_media(filters, ".gz"), nullptr);
}

}  // namespace
}  // namespace akin::extract
