// Words between words, which honest texts have for less.
#include "extract/interleaved_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extract/html/html.h"

namespace akin::extract {
namespace {

/// "w w x w w x …": after so many words of one look come so many of another.
std::uint64_t alternating(int turns, int words, int between) {
  InterleavedText text;
  for (int turn = 0; turn < turns; ++turn) {
    for (int word = 0; word < words; ++word) text.take(1, "word ");
    for (int word = 0; word < between; ++word) text.take(2, "word ");
  }
  text.end_paragraph();
  return text.characters();
}

TEST(InterleavedText, WordsBetweenAFewWordsAreReported) {
  EXPECT_EQ(alternating(6, 1, 1), 60U);
  EXPECT_EQ(alternating(10, 4, 1), 250U);
  EXPECT_EQ(alternating(10, 2, 3), 250U);
}

TEST(InterleavedText, WordsBetweenManyWordsAreNot) {
  EXPECT_EQ(alternating(5, 1, 1), 0U) << "too few";
  EXPECT_EQ(alternating(20, 5, 1), 0U);
  EXPECT_EQ(alternating(20, 3, 3), 0U);
}

TEST(InterleavedText, EveryOtherWordMayHaveALookOfItsOwn) {
  InterleavedText own, none;
  for (std::size_t word = 0; word < 20; ++word) {
    own.take(1, "word ");
    own.take(10 + word, "word ");
    none.take(10 + word, "word ");
  }
  own.end_paragraph();
  none.end_paragraph();
  EXPECT_EQ(own.characters(), 200U);
  EXPECT_EQ(own.sample().substr(0, 10), "word word ");
  EXPECT_EQ(none.characters(), 0U);
}

TEST(InterleavedText, LettersWithinWordsMarksAndParagraphsMakeNoTurn) {
  InterleavedText text;
  for (int word = 0; word < 20; ++word) {  // "bionic of"
    text.take(1, "bio");
    text.take(2, "nic of ");
  }
  for (int name = 0; name < 20; ++name) {  // "Bellis perennis in meadows, "
    text.take(1, "Bellis perennis");
    text.take(2, " in meadows, ");
  }
  for (int letter = 0; letter < 20; ++letter) {  // "let x be"
    text.take(1, " let ");
    text.take(2, "x");
  }
  for (int entry = 0; entry < 20; ++entry) {
    text.end_paragraph();
    text.take(1, "Hund");
    text.take(2, " dog");
  }
  text.end_paragraph();
  EXPECT_EQ(text.characters(), 0U);
}

struct InterleavedRow {
  const char *name, *before, *after;
};
void PrintTo(const InterleavedRow& row, std::ostream* out) { *out << row.name; }
class InterleavedHtml : public ::testing::TestWithParam<InterleavedRow> {};

/// Whatever hides them.
TEST_P(InterleavedHtml, IsReported) {
  std::string page = "<p>";
  for (int word = 0; word < 20; ++word)
    page += "seen " + std::string(GetParam().before) + "unseen" + GetParam().after + " ";
  const auto read = read_html(page, "page");
  EXPECT_EQ(read->interleaved, 240U);
  EXPECT_EQ(read->interleaved_sample.substr(0, 12), "seen unseen ");
}

INSTANTIATE_TEST_SUITE_P(Rows, InterleavedHtml,
                         ::testing::Values(InterleavedRow{"Element", "<i>", "</i>"},
                                           InterleavedRow{"Class", "<span class=a>", "</span>"},
                                           InterleavedRow{"Style", "<span style='color:gray'>", "</span>"},
                                           InterleavedRow{"Nested", "<b><i>", "</i></b>"}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(InterleavedHtml, WordsOfOneLookAreOneText) {
  std::string page = "<p>";
  for (int word = 0; word < 20; ++word)
    page += "<span class=w title=" + std::to_string(word) + ">seen</span> ";
  EXPECT_EQ(read_html(page, "page")->interleaved, 0U);
}

}  // namespace
}  // namespace akin::extract
