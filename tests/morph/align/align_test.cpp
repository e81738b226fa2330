#include "morph/align/align.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "tests/morph/align/passages.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin {
namespace {

const Dictionary& aligned_words() {
  static const auto dictionary = tiny_dictionary("дом/дома дом/дому стоять/стоит cat/cats");
  return *dictionary;
}

WordSequence words_of(std::string_view text) {
  auto words = read_words(text, aligned_words());
  EXPECT_TRUE(words.has_value());
  return *std::move(words);
}

Alignment alignment_of(std::string_view a, std::string_view b, const AlignOptions& options = {}) {
  const WordSequence words = words_of(a);
  return Aligner(words, options).align(words_of(b));
}

std::string in_range(std::string_view text, TextRange range) {
  return std::string(slice_code_points(text, range.begin, range.end));
}

/// `count` words that no other call has, with `mark` behind each.
std::string strange_words(std::size_t count, std::string_view mark = " ") {
  static std::size_t number = 0;
  std::string text;
  for (; count > 0; --count) text += "z" + std::to_string(number++) + std::string(mark);
  return text;
}

/// Expects that `quotation`, with other words around it, is found in a text that has `original`, both whole.
void expect_found(const std::string& quotation, const std::string& original) {
  const std::string a = strange_words(80) + quotation + " " + strange_words(80);
  const std::string b = strange_words(200) + original + " " + strange_words(50);
  const Alignment alignment = alignment_of(a, b);
  ASSERT_EQ(alignment.passages.size(), 1U);
  EXPECT_EQ(in_range(a, alignment.passages[0].a), quotation);
  EXPECT_EQ(in_range(b, alignment.passages[0].b), original);
}

// ---- what is found

TEST(Align, ATextIsOnePassageOfItself) {
  const std::string text = passage("ru");
  const Alignment alignment = alignment_of(text, text);
  const auto words = static_cast<std::uint32_t>(words_of(text).classes.size());
  ASSERT_EQ(alignment.passages.size(), 1U);
  EXPECT_EQ(alignment.passages[0].a_words, (WordRange{0, words}));
  EXPECT_EQ(alignment.passages[0].b_words, (WordRange{0, words}));
  EXPECT_EQ(alignment.a_matched, words);
  EXPECT_EQ(alignment.b_matched, words);
}

TEST(Align, TextsWithoutCommonWordsShareNothing) {
  const Alignment alignment = alignment_of(strange_words(500), strange_words(500));
  EXPECT_TRUE(alignment.passages.empty());
  EXPECT_EQ(alignment.a_matched, 0U);
}

TEST(Align, ARunOfTwelveWordsIsFoundAndOneOfElevenIsNot) {
  const std::string twelve = "one two three four five six seven eight nine ten eleven twelve";
  expect_found(twelve, twelve);
  const std::string eleven = twelve.substr(0, twelve.rfind(' '));
  EXPECT_TRUE(
      alignment_of(strange_words(9) + eleven + " x", strange_words(9) + eleven + " y").passages.empty());
}

TEST(Align, EightLinesOfVerseAreFound) {
  const std::string verse =
      "The curfew tolls the knell of parting day,\nThe lowing herd wind slowly o'er the lea,\n"
      "The ploughman homeward plods his weary way,\nAnd leaves the world to darkness and to me.\n\n"
      "Now fades the glimmering landscape on the sight,\nAnd all the air a solemn stillness holds,\n"
      "Save where the beetle wheels his droning flight,\nAnd drowsy tinklings lull the distant folds";
  expect_found(verse, verse);
}

TEST(Align, AListWithoutFinalMarksIsFound) {
  expect_found(
      "two cups of flour\n- one spoon of salt\n- a pinch of pepper\n- half a lemon\n- six eggs",
      "Two cups of flour\n\n• One spoon of salt\n\n• A pinch of pepper\n\n• Half a lemon\n\n• Six eggs");
}

TEST(Align, AMenuIsFound) {
  const std::string menu =
      "Borscht 4.50\nPelmeni 7.20\nBlini with caviar 19.00\nOlivier salad 5.30\nKvass 2.10";
  expect_found(menu, menu);
}

TEST(Align, ATableIsFoundWhateverSeparatesItsCells) {
  expect_found(
      "year\tcity\tpopulation\n1897\tMoscow\t1038600\n1926\tKazan\t179000\n1939\tOmsk\t289000",
      "year | city | population\n1897 | Moscow | 1038600\n1926 | Kazan | 179000\n1939 | Omsk | 289000");
}

TEST(Align, DoubleSpacedLinesAreFound) {
  expect_found(
      "It is a truth universally\nacknowledged, that a single man\nin possession of a good fortune",
      "It is a truth universally\n\nacknowledged, that a single man\n\nin possession of a good fortune");
}

TEST(Align, ATypoInEachOfThreeSentencesHidesNothing) {
  expect_found(
      "My mother died when I was very smal indeed. We lived in a low house neer the river. Noboddy ever came "
      "to "
      "visit us there on Sundays",
      "My mother died when I was very small indeed. We lived in a low house near the river. Nobody ever came "
      "to "
      "visit us there on Sundays");
}

TEST(Align, ExchangedWordsFormsAndSentencesStayInOnePassage) {
  expect_found("Дом стоит у самой большой реки. Мы видели там старый сад. Никто не жил здесь много лет",
               "Мы видели там старый сад. Никто не жил здесь много лет. Дому стоять у большой самой реки");
}

TEST(Align, InsertedAndMissingWordsStayInsideAPassage) {
  const std::string first = "one two three four five six seven eight nine ten";
  const std::string second = "red green blue white black brown yellow pink grey violet";
  expect_found(first + " x y z " + second, first + " " + second);
  expect_found(first + " " + second, first + " x y z " + second);
  expect_found(first + " u v w " + second, first + " x y " + second);
}

TEST(Align, StretchesFarFromEachOtherInEitherTextAreTwoPassages) {
  const std::string first = "one two three four five six seven eight nine ten eleven twelve ";
  const std::string second = "red green blue white black brown yellow pink grey violet gold silver ";
  EXPECT_EQ(alignment_of(first + second, first + strange_words(100) + second).passages.size(), 2U);
  EXPECT_EQ(alignment_of(first + strange_words(100) + second, first + second).passages.size(), 2U);
}

TEST(Align, AChanceGramBesideAPassageIsNotPartOfIt) {
  const std::string text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
  const std::string a = text + " " + strange_words(6) + "as it were " + strange_words(9);
  const std::string b = text + " " + strange_words(6) + "as it were " + strange_words(9);
  const Alignment alignment = alignment_of(a, b);
  ASSERT_EQ(alignment.passages.size(), 1U);
  EXPECT_EQ(in_range(a, alignment.passages[0].a), text);
  EXPECT_EQ(in_range(b, alignment.passages[0].b), text);
}

TEST(Align, WhatBRepeatsNearbyIsMatchedOnce) {
  const std::string text = "press the round button to print all of the pages that you marked before ";
  const std::string a = strange_words(5) + text + strange_words(5);
  const std::string b =
      "press the round button " + strange_words(2) + text + strange_words(2) + "all of the pages";
  const Alignment alignment = alignment_of(a, b);
  ASSERT_EQ(alignment.passages.size(), 1U);
  EXPECT_EQ(alignment.passages[0].b_words.size(), alignment.passages[0].a_words.size());
}

TEST(Align, WhatAHasTwiceIsAPassageEachTime) {
  const std::string text = "one two three four five six seven eight nine ten eleven twelve ";
  const Alignment alignment = alignment_of(text + strange_words(60) + text, strange_words(9) + text);
  ASSERT_EQ(alignment.passages.size(), 2U);
  EXPECT_EQ(alignment.passages[0].b, alignment.passages[1].b);
  EXPECT_EQ(alignment.a_matched, 24U);
  EXPECT_EQ(alignment.b_matched, 12U);
}

TEST(Align, TheSharesCountEachMatchedWordOnce) {
  const std::string text = "one two three four five six seven eight nine ten eleven twelve ";
  const Alignment alignment = alignment_of(text + strange_words(3) + text, text + strange_words(40) + text);
  EXPECT_EQ(alignment.a_matched, 24U);
  for (const AlignedPassage& one : alignment.passages) EXPECT_LE(one.a_matched, one.a_words.size());
}

TEST(Align, APassageBeginsAndEndsWithAGram) {
  const std::string run = "one two three four five six seven eight nine ten eleven twelve";
  const Alignment alignment =
      alignment_of("red green x " + run + " y white black", "red green u " + run + " v white black");
  ASSERT_EQ(alignment.passages.size(), 1U);
  EXPECT_EQ(alignment.passages[0].a_words, (WordRange{3, 15}));
}

// ---- what is promised

/// A sequence of these words, hashed, with one code point a word and one between words.
WordSequence hashed_sequence(const std::vector<std::uint64_t>& classes) {
  WordSequence words;
  for (const std::uint64_t one : classes) words.classes.push_back(mix64(one));
  for (std::uint32_t i = 0; i < classes.size(); ++i) words.ranges.push_back({2 * i, 2 * i + 1});
  words.bytes = words.ranges;
  return words;
}

/// Pieces of `b` and strange words by turns, some words of them exchanged or left out.
WordSequence edited_pieces(const std::vector<std::uint64_t>& b, std::uint64_t alphabet,
                           std::mt19937& random) {
  std::vector<std::uint64_t> classes;
  for (auto pieces = random() % 5; pieces > 0; --pieces) {
    for (auto count = random() % 20; count > 0; --count) classes.push_back(1 + random() % alphabet);
    if (b.empty()) continue;
    const std::size_t at = random() % b.size();
    for (auto i = at; i < std::min(b.size(), at + random() % 30); ++i) {
      if (random() % 9 != 0) classes.push_back(b[i]);
      if (random() % 9 == 0) classes.push_back(1 + random() % alphabet);
    }
  }
  return hashed_sequence(classes);
}

AlignOptions random_options(std::mt19937& random) {
  AlignOptions options;
  options.seed = 1 + static_cast<unsigned>(random() % 4);
  options.ordered = random() % 2 == 0;
  options.places = 1 + static_cast<unsigned>(random() % 9);
  options.gap = static_cast<unsigned>(random() % 12);
  options.density = static_cast<unsigned>(random() % 100);
  options.run = options.seed + static_cast<unsigned>(random() % 9);
  return options;
}

/// Words of A in runs of `run` words that B has, by comparing all of them.
std::vector<bool> words_in_common_runs(const WordSequence& a, const WordSequence& b, unsigned run) {
  std::vector<bool> in_run(a.classes.size());
  for (std::size_t i = 0; i + run <= a.classes.size(); ++i) {
    const auto words = std::span(a.classes).subspan(i, run);
    const bool found =
        std::search(b.classes.begin(), b.classes.end(), words.begin(), words.end()) != b.classes.end();
    if (found) std::fill_n(in_run.begin() + static_cast<std::ptrdiff_t>(i), run, true);
  }
  return in_run;
}

void expect_promises(const WordSequence& a, const WordSequence& b, const AlignOptions& options) {
  const Alignment alignment = Aligner(a, options).align(b);
  std::vector<bool> in_passage(a.classes.size());
  for (const AlignedPassage& one : alignment.passages) {
    ASSERT_LE(one.a_words.end, a.classes.size());
    ASSERT_LE(one.b_words.end, b.classes.size());
    ASSERT_EQ(one.a, (TextRange{2 * one.a_words.begin, 2 * one.a_words.end - 1}));
    ASSERT_EQ(one.b, (TextRange{2 * one.b_words.begin, 2 * one.b_words.end - 1}));
    ASSERT_GE(one.a_matched, options.run);
    ASSERT_GE(one.b_matched, options.run);
    ASSERT_LE(one.a_matched, one.a_words.size());
    ASSERT_LE(one.b_matched, one.b_words.size());
    ASSERT_GT(100 * one.a_matched, options.density * one.a_words.size());
    ASSERT_GT(100 * one.b_matched, options.density * one.b_words.size());
    std::fill_n(in_passage.begin() + one.a_words.begin, one.a_words.size(), true);
  }
  const auto promised = words_in_common_runs(a, b, options.run);
  for (std::size_t i = 0; i < promised.size(); ++i) ASSERT_LE(promised[i], in_passage[i]) << "word " << i;
  ASSERT_GE(alignment.a_matched, static_cast<std::uint64_t>(std::ranges::count(promised, true)));
  ASSERT_LE(alignment.a_matched, static_cast<std::uint64_t>(std::ranges::count(in_passage, true)));
}

TEST(AlignPromise, EachWordOfARunThatBHasIsMatchedAndPassagesAreLongAndDense) {
  std::mt19937 random(23);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t alphabet = 1 + random() % (round % 2 == 0 ? 6 : 60);
    std::vector<std::uint64_t> classes(random() % 80);
    for (std::uint64_t& one : classes) one = 1 + random() % alphabet;
    const WordSequence b = hashed_sequence(classes);
    const WordSequence a = edited_pieces(classes, alphabet, random);
    expect_promises(a, b, random_options(random));
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(AlignPromise, TextsOfOneWordTakeLinearTime) {
  const WordSequence a = hashed_sequence(std::vector<std::uint64_t>(1'000'000, 7));
  const WordSequence b = hashed_sequence(std::vector<std::uint64_t>(400'000, 7));
  const Alignment alignment = Aligner(a, {}).align(b);
  EXPECT_EQ(alignment.a_matched, 1'000'000U);
  EXPECT_EQ(alignment.b_matched, 400'000U);
}

TEST(AlignPromise, TextsOfFewDifferentWordsTakeLinearTime) {
  std::mt19937 random(24);
  for (const std::uint64_t alphabet : {2U, 3U, 40U}) {
    std::vector<std::uint64_t> classes_a(200'000), classes_b(200'000);
    for (std::uint64_t& one : classes_a) one = random() % alphabet;
    for (std::uint64_t& one : classes_b) one = random() % alphabet;
    const WordSequence a = hashed_sequence(classes_a), b = hashed_sequence(classes_b);
    const Alignment alignment = Aligner(a, {}).align(b);
    EXPECT_LE(alignment.a_matched, 200'000U) << alphabet;
  }
}

TEST(AlignOptions, OutOfRangeAreRefusedByName) {
  const struct {
    AlignOptions options;
    std::string_view name;
  } rows[] = {{{.seed = 0}, "seed"},   {{.seed = 65, .run = 65}, "seed"}, {{.seed = 5, .run = 4}, "run"},
              {{.run = 65}, "run"},    {{.places = 0}, "places"},         {{.places = 1'001}, "places"},
              {{.gap = 1'001}, "gap"}, {{.density = 100}, "density"}};
  for (const auto& row : rows) {
    const auto checked = row.options.check();
    ASSERT_TRUE(checked.has_error()) << row.name;
    EXPECT_EQ(checked.error().what, row.name);
  }
  EXPECT_TRUE(AlignOptions{}.check().has_value());
}

TEST(WordSequence, HasTheWordsOfAllSentencesAndTheirPlaces) {
  const WordSequence words = words_of("Дом стоит. Cats!\n\nдому");
  ASSERT_EQ(words.classes.size(), 4U);
  EXPECT_EQ(words.classes[0], words.classes[3]);
  EXPECT_EQ(words.ranges, (std::vector<TextRange>{{0, 3}, {4, 9}, {11, 15}, {18, 22}}));
  EXPECT_EQ(read_words("\xff", aligned_words()).error().code, Errc::invalid_utf8);
}

}  // namespace
}  // namespace akin
