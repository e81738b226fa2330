#include "server/check/excerpts.h"

#include <gtest/gtest.h>

#include <string>

namespace akin::check {
namespace {

std::string letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += i % 2 == 0 ? "я" : "b";
  return text;
}

TEST(Excerpts, HaveThePassagesAndWhatIsAroundThem) {
  const std::string text = letters(5000);
  const Excerpts excerpts = Excerpts::around(text, {{2000, 2010}, {4995, 5000}, {100, 200}});
  for (const TextRange& range : {TextRange{2000, 2010}, {1700, 2310}, {4995, 5000}, {0, 500}}) {
    const auto slice = excerpts.slice(range);
    ASSERT_TRUE(slice.has_value()) << range.begin;
    EXPECT_EQ(*slice, SlicedText(text).slice(range));
  }
  EXPECT_FALSE(excerpts.slice({1699, 1701}));
  EXPECT_FALSE(excerpts.slice({2000, 2311}));
}

TEST(Excerpts, PartsThatMeetAreOne) {
  const Excerpts excerpts = Excerpts::around(letters(2000), {{400, 410}, {1010, 1020}});
  EXPECT_EQ(excerpts.json().size(), 1U);
  EXPECT_TRUE(excerpts.slice({100, 1320}));
}

TEST(Excerpts, AreReadAsTheyWereWritten) {
  const Excerpts excerpts = Excerpts::read(Excerpts::around(letters(3000), {{1000, 1001}}).json());
  EXPECT_EQ(excerpts.slice({1000, 1002}), "яb");
}

TEST(Excerpts, AWholeTextHasEveryRange) { EXPECT_EQ(Excerpts::whole("жук").slice({1, 3}), "ук"); }

}  // namespace
}  // namespace akin::check
