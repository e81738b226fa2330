// What is usual in a collection's texts (docs/checks.md).
#include "index/collection/text_style.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/dict/tiny_pair.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

class TextStyleTest : public testing::Test {
 protected:
  TextStyleTest()
      : dictionary_(TinyDictionaries::open(
            files_.config({files_.write("en", kPluralAff, "the\ncat/S\nsleep/S\nhere\n")}))) {}

  [[nodiscard]] TextStyle style(std::string_view text) const { return style_of(text, *dictionary_).value(); }

  TinyDictionaries files_;
  std::shared_ptr<const Dictionary> dictionary_;
};

TEST_F(TextStyleTest, CountsWordsThatNoDictionaryHas) {
  const TextStyle found = style("The cats sleep here. The gronk sleeps.");
  EXPECT_EQ(found.sentences, 2U);
  EXPECT_EQ(found.words, 7U);
  EXPECT_EQ(found.unknown, 1U);
  EXPECT_DOUBLE_EQ(found.words_per_sentence(), 3.5);
  EXPECT_DOUBLE_EQ(found.unknown_share(), 1.0 / 7);
}

struct RunningRow {
  const char* text;
  std::uint64_t running, unknown_running;
};

TEST_F(TextStyleTest, NamesAbbreviationsAndNotationAreNoRunningText) {
  for (const RunningRow& row : {
           RunningRow{"The cats gronk here.", 3, 1},
           RunningRow{"Gronk, Blarg Brank; Zwerk Q. Plonk", 0, 0},
           RunningRow{"cats, Gronk Blarg Brank Zwerk Plonk", 5, 5},
           RunningRow{"Gronk\nBlarg\nBrank\nZwerk\nPlonk", 0, 0},
           RunningRow{"cats here sleep cats, gr bl zw", 4, 0},
           RunningRow{"cats, gr bla zw dr the", 4, 4},
           RunningRow{"Gronk Blarg the Zwerk Plonk", 0, 0},
           RunningRow{"GronkBlarg ZwerkPlonk GRONK the", 2, 2},
           RunningRow{"cats here sleep gron. the cats here zwer", 6, 1},
           RunningRow{"cats here sleep gronk.blarg cats here sleep", 8, 2},
           RunningRow{"cats gronk here, blarg zwerk plonk; sleep", 0, 0},
           RunningRow{"cats\u00a0gronk\u2009here\u200b sleep", 4, 1},
           RunningRow{"cats tr\u00e6vl\u0259 d\u026asp here sleep", 3, 0},
           RunningRow{"#gronk cats here sleep @blarg cats here sleep", 6, 0},
           RunningRow{"Nf3 e4 Bb5 a6 nxd5 k2tog z", 2, 2},
       }) {
    const TextStyle found = style(row.text);
    EXPECT_EQ(found.running, row.running) << row.text;
    EXPECT_EQ(found.unknown_running, row.unknown_running) << row.text;
  }
}

TEST_F(TextStyleTest, AFewRunningWordsSayLittle) {
  EXPECT_DOUBLE_EQ((WordCounts{100, 90, 2, 2}).unknown_running_share(), 0.2);
  EXPECT_DOUBLE_EQ((WordCounts{100, 90, 40, 30}).unknown_running_share(), 0.75);
  EXPECT_DOUBLE_EQ(WordCounts{}.unknown_running_share(), 0);
}

TEST_F(TextStyleTest, NumbersAreNoWords) { EXPECT_EQ(style("The 12 cats sleep here 1999.").words, 4U); }

TEST_F(TextStyleTest, CellsOfNumbersAreNoSentences) {
  const TextStyle found = style("The cats sleep here.\n\n12\t13\n14\t15\n\n16,5\t17,5\n");
  EXPECT_EQ(found.sentences, 1U);
  EXPECT_DOUBLE_EQ(found.words_per_sentence(), 4);
}

TEST_F(TextStyleTest, ShortLinesWithoutMarksAreNotOneSentence) {
  EXPECT_DOUBLE_EQ(style("cats sleep\ncats sleep\nthe cat\nsleeps here\n").words_per_sentence(), 2);
  const std::string line(60, 'x');
  EXPECT_DOUBLE_EQ(style(line + " here\n" + line + " the\n" + line + " cat.").words_per_sentence(), 6);
}

TEST_F(TextStyleTest, LinesOfListsWithoutMarksAreNotOneSentence) {
  const std::string rest = " here" + std::string(60, 'x');
  EXPECT_DOUBLE_EQ(
      style("1990 cats" + rest + "\n1991 cats" + rest + "\n- cats" + rest + "\nCats" + rest + "\n")
          .words_per_sentence(),
      2);
  const std::string print = "the cat" + rest + "\nThe cat" + rest + "\nthe cat" + rest + "\n";
  EXPECT_DOUBLE_EQ(style(print).words_per_sentence(), 9) << "a capital letter may begin any line";
}

TEST_F(TextStyleTest, PartsHaveTheirUnknownWords) {
  std::string text;
  for (int word = 0; word < 100; ++word) text += word % 50 == 0 ? "Gronk " : "cats ";
  StyleReader parts(text, *dictionary_);
  ASSERT_TRUE(scan_text(text, *dictionary_, parts).has_value());
  const std::vector<StylePart> found = parts.take_parts();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].words, kPartWords);
  EXPECT_EQ(found[0].unknown_words, "Gronk Gronk ");
  EXPECT_EQ(found[1].words, 40U);
  EXPECT_EQ(found[1].unknown, 0U);
}

TEST_F(TextStyleTest, AShortRestJoinsTheLastPart) {
  std::string text;
  for (int word = 0; word < 70; ++word) text += "gronk ";
  StyleReader reader(text, *dictionary_);
  ASSERT_TRUE(scan_text(text, *dictionary_, reader).has_value());
  const std::vector<StylePart> found = reader.take_parts();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].words, 70U);
  EXPECT_EQ(found[0].unknown, 70U);
}

TEST_F(TextStyleTest, MarksDivideOnlyWhatStandsInOneLine) {
  const TextStyle found = style("The cats sleep. Here. Cats.\n\nCats!\n\nHere the cat sleeps.\tCats.");
  EXPECT_EQ(found.marked_sentences, 3U);
  EXPECT_DOUBLE_EQ(found.words_per_marked_sentence(), 5.0 / 3);
}

TEST_F(TextStyleTest, NothingHasNoStyle) {
  EXPECT_EQ(style("?! …").unknown_share(), 0.0);
  EXPECT_EQ(style("?! …").words_per_sentence(), 0.0);
}

class UsualStyles : public CatalogTest {
 protected:
  [[nodiscard]] TextStyle usual() const { return must(books_->usual_style(*must(books_->snapshot()))); }
  std::shared_ptr<Collection> books_ = must(catalog_->create("books", ""));
};

TEST_F(UsualStyles, AreThoseOfTheFirstDocuments) {
  put(*books_, "a", text_of("cats", 10));
  put(*books_, "b", text_of("dogs", 30));
  EXPECT_EQ(usual().sentences, 40U);
}

TEST_F(UsualStyles, AreReadAgainAfterAChange) {
  put(*books_, "a", text_of("cats", 10));
  EXPECT_EQ(usual().sentences, 10U);
  put(*books_, "a", text_of("cats", 7));
  EXPECT_EQ(usual().sentences, 7U);
  must(books_->remove({"a"}));
  EXPECT_EQ(usual().sentences, 0U);
}

TEST_F(UsualStyles, AreThoseOfTheBeginningOfALongText) {
  put(*books_, "a", text_of("cats", 3000));
  const TextStyle style = usual();
  EXPECT_GT(style.sentences, 100U);
  EXPECT_LT(style.sentences, 2000U);
}

}  // namespace
}  // namespace akin::test
