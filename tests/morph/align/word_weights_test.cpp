#include "morph/align/word_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "morph/align/align.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin {
namespace {

using testing::Each;
using testing::ElementsAre;

WordSequence words_in(std::string_view text) {
  static const auto dictionary = tiny_dictionary("cat/cats");
  auto words = read_words(text, *dictionary);
  EXPECT_TRUE(words.has_value());
  return *std::move(words);
}

/// In thirds of a word.
std::vector<unsigned> weights_of(std::string_view text) {
  const WordSequence words = words_in(text);
  const WordWeights weights(text, words);
  std::vector<unsigned> thirds;
  for (std::size_t i = 0; i < words.classes.size(); ++i)
    thirds.push_back(static_cast<unsigned>(weights.share(i) * WordWeights::kWord + 0.5));
  return thirds;
}

TEST(WordWeights, WordsWeighAWordAndSingleLettersNothing) {
  EXPECT_THAT(weights_of("the cat и кот a b"), ElementsAre(3, 3, 0, 3, 0, 0));
}

TEST(WordWeights, AWordOfAScriptWithoutSpacesIsAWord) { EXPECT_THAT(weights_of("我 是"), ElementsAre(3, 3)); }

TEST(WordWeights, NumbersInOrderWeighNothing) {
  EXPECT_THAT(weights_of("1 2 3 4 5 6 7 8 9 10 11 12"), Each(0U));
  EXPECT_THAT(weights_of("0 0 0 0"), Each(0U));
}

TEST(WordWeights, EqualStepsWeighNothingOnceTheyAreKnown) {
  EXPECT_THAT(weights_of("100 200 300 400 500"), ElementsAre(2, 2, 0, 0, 0));
}

TEST(WordWeights, YearsInOrderWeighWhatTheFirstDoes) {
  EXPECT_THAT(weights_of("1990 1991 1992 1995 1999"), ElementsAre(3, 0, 0, 0, 0));
}

TEST(WordWeights, ANumberWeighsTheDigitsOfItsDistanceLessTheLast) {
  EXPECT_THAT(weights_of("5 25 250 2500 25000"), ElementsAre(0, 1, 2, 3, 3));
}

TEST(WordWeights, ANumberNearOneOfTheFourBeforeItWeighsNothing) {
  EXPECT_THAT(weights_of("1 5320 2 8710 3 1120"), ElementsAre(0, 3, 0, 3, 0, 3));
}

TEST(WordWeights, PartsOfADecimalAreOneNumber) {
  EXPECT_THAT(weights_of("12.51 87,30 44.09"), ElementsAre(0, 3, 0, 3, 0, 3));
  EXPECT_THAT(weights_of("1.1 1.2 1.3 1.4"), ElementsAre(0, 1, 0, 0, 0, 0, 0, 0));
}

TEST(WordWeights, ListMarksAreNumbers) {
  EXPECT_THAT(weights_of("1a 2a 3b 4th ii iii iv XIV"), Each(0U));
  EXPECT_THAT(weights_of("ab12cd"), ElementsAre(3));
}

TEST(WordWeights, DigitsOfOtherScriptsAreRead) {
  EXPECT_THAT(weights_of("١ ٢ ٣"), Each(0U));
  EXPECT_THAT(weights_of("５００ ９９９"), ElementsAre(2, 2));
}

TEST(WordWeights, AVeryLongNumberWeighsAWord) {
  EXPECT_THAT(weights_of("9780306406157 99999999999999999999999999"), ElementsAre(3, 3));
}

TEST(WordWeights, ARepeatedWordCountsOnce) {
  const std::string text = "page 1 page 2 page 3 page 4";
  const WordSequence words = words_in(text);
  const std::vector<WordRange> all = {{0, 8}};
  EXPECT_TRUE(WordWeights(text, words).reach(3, all, words.classes));
  EXPECT_FALSE(WordWeights(text, words).reach(4, all, words.classes));
}

// ---- what alignment makes of it

std::size_t passages(const std::string& a, const std::string& b) {
  const WordSequence words = words_in(a);
  return Aligner(words, {}, WordWeights(a, words)).align(words_in(b)).passages.size();
}

TEST(WordWeights, NoPassageConsistsOfRowsThatEveryoneWrites) {
  for (const std::string row :
       {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z",
        "1990 1991 1992 1993 1994 1995 1996 1997 1998 1999 2000 2001",
        "page 1 of 9 page 2 of 9 page 3 of 9 page 4 of 9", "I II III IV V VI VII VIII IX X XI XII XIII"}) {
    EXPECT_EQ(passages("lorem " + row + " ipsum", "dolor " + row + " sit"), 0U) << row;
  }
}

TEST(WordWeights, ACopiedTableOfMeasurementsIsAPassage) {
  const std::string table = "5320 871 1120 4406 297 6653 918 3071 764 2280 5147 639";
  EXPECT_EQ(passages("lorem " + table + " ipsum", "dolor " + table + " sit"), 1U);
}

TEST(WordWeights, NumbersStayInsideAPassageOfWords) {
  const std::string text = "on 12 May 1898 at 7 in the evening we left 3 men behind";
  const WordSequence words = words_in(text);
  const Alignment found = Aligner(words, {}, WordWeights(text, words)).align(words_in("so " + text));
  ASSERT_EQ(found.passages.size(), 1U);
  EXPECT_EQ(found.a_matched, words.classes.size());
}

TEST(WordWeights, AFewWordsBesideARowMakeNoPassage) {
  const std::string shared = "the following table 1 2 3 4 5 6 7 8 9 10 11 12";
  EXPECT_EQ(passages("lorem " + shared + " ipsum", "dolor " + shared + " sit"), 0U);
}

}  // namespace
}  // namespace akin
