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

/// What is read again of the excerpts of these ranges.
Excerpts cut(const std::string& text, const std::vector<TextRange>& ranges) {
  akin::StoredText stored{std::string(text)};
  return Excerpts::read(excerpts_array(cut_excerpts(stored, places_of(text, ranges)).value()));
}

TEST(Excerpts, HaveThePassagesAndWhatIsAroundThem) {
  const std::string text = letters(5000);
  const Excerpts excerpts = cut(text, {{2000, 2010}, {4995, 5000}, {100, 200}});
  for (const TextRange& range : {TextRange{2000, 2010}, {1700, 2310}, {4995, 5000}, {0, 500}}) {
    const auto slice = excerpts.slice(range);
    ASSERT_TRUE(slice.has_value()) << range.begin;
    EXPECT_EQ(*slice, SlicedText(text).slice(range));
  }
  EXPECT_FALSE(excerpts.slice({1699, 1701}));
  EXPECT_FALSE(excerpts.slice({2000, 2311}));
}

TEST(Excerpts, PartsThatMeetAreOne) {
  const std::string text = letters(2000);
  akin::StoredText stored{std::string(text)};
  const auto excerpts = cut_excerpts(stored, places_of(text, {{400, 410}, {1010, 1020}, {402, 404}})).value();
  ASSERT_EQ(excerpts.size(), 1U);
  EXPECT_EQ(excerpts.front().at, 100U);
  EXPECT_EQ(excerpts.front().text, SlicedText(text).slice({100, 1320}));
}

TEST(Excerpts, CountCharactersOfEveryLength) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += i % 3 == 0 ? "𝛼" : i % 3 == 1 ? "…" : "z";
  for (const TextRange& range : {TextRange{0, 1}, {299, 302}, {500, 501}, {999, 1000}}) {
    const Excerpts excerpts = cut(text, {range});
    const TextRange wide{range.begin - std::min(range.begin, kKeptAround),
                         std::min(1000U, range.end + kKeptAround)};
    EXPECT_EQ(excerpts.slice(wide), SlicedText(text).slice(wide)) << range.begin;
    EXPECT_FALSE(excerpts.slice({wide.begin, wide.end + 1})) << range.begin;
  }
}

TEST(Excerpts, AWholeTextHasEveryRange) { EXPECT_EQ(Excerpts::whole("жук").slice({1, 3}), "ук"); }

}  // namespace
}  // namespace akin::check
