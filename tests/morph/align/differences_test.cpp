// What differs within aligned passages (docs/alignment.md, "Changes").
#include "morph/align/differences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "morph/align/word_pairs.h"
#include "tests/dict/tiny_pair.h"

namespace akin {
namespace {

// ---- kinds of change, on text

class Differences : public testing::Test {
 protected:
  static constexpr std::string_view kDic =
      "the\nold/S\nmill/S\nriver/S\nstand/S\nby\nand\nits\nwheel/S\nturn/S\nslowly\nunder\nheavy\nwater/S\n"
      "while\nchild/S\nplay/S\nbank/S\nquickly\nhouse/S\ncottage/S\n";
  static constexpr std::string_view kText =
      "We saw at last that the old mill stands by the river and its wheel turns slowly under heavy waters "
      "while the childs play by the bank.";

  Differences() {
    DictionaryConfig config = files_.config({files_.write("en", test::kPluralAff, kDic)});
    config.synonyms = {files_.write_file("own.txt", "house cottage mill\n").string()};
    dictionary_ = test::TinyDictionaries::open(config);
  }

  /// The changes that make `b` of `a`, each as "kind: words of a > words of b".
  [[nodiscard]] std::vector<std::string> changes(std::string_view a, std::string_view b) const {
    const auto a_words = read_words(a, *dictionary_), b_words = read_words(b, *dictionary_);
    const Alignment alignment = Aligner(*a_words, {}).align(*b_words);
    EXPECT_EQ(alignment.passages.size(), 1U);
    std::vector<std::string> shown;
    for (const AlignedPassage& passage : alignment.passages) {
      for (const WordChange& one : find_changes(passage, {a, *a_words}, {b, *b_words}, *dictionary_)) {
        shown.push_back(std::string(name_of(one.kind)) + ": " + written(a, *a_words, one.a) + " > " +
                        written(b, *b_words, one.b));
      }
    }
    return shown;
  }

  static std::string written(std::string_view text, const WordSequence& words, WordRange range) {
    if (range.begin == range.end) return "-";
    const std::size_t begin = words.bytes[range.begin].begin;
    return std::string(text.substr(begin, words.bytes[range.end - 1].end - begin));
  }

  static std::string with(std::string_view what, std::string_view other) {
    std::string text(kText);
    return text.replace(text.find(what), what.size(), other);
  }

  [[nodiscard]] std::vector<std::string> changes_to(const std::string& b) const { return changes(kText, b); }

  test::TinyDictionaries files_;
  std::shared_ptr<const Dictionary> dictionary_;
};

using List = std::vector<std::string>;

TEST_F(Differences, ATextDoesNotDifferFromItself) { EXPECT_EQ(changes_to(std::string(kText)), List{}); }

TEST_F(Differences, CaseAndLineBreaksAreNone) {
  EXPECT_EQ(changes_to(with("river and", "RIVER\n\nAnd")), List{});
}

TEST_F(Differences, WordsOfBAloneAreInserted) {
  EXPECT_EQ(changes_to(with("wheel", "big red wheel")), List{"inserted: - > big red"});
}

TEST_F(Differences, WordsOfAAloneAreLeftOut) {
  EXPECT_EQ(changes_to(with("slowly under", "under")), List{"left_out: slowly > -"});
}

TEST_F(Differences, OtherWordsInOnePlaceAreReplaced) {
  EXPECT_EQ(changes_to(with("slowly", "with much noise")), List{"replaced: slowly > with much noise"});
}

TEST_F(Differences, WordsInAnotherPlaceAreMoved) {
  EXPECT_EQ(changes_to(with("turns slowly under", "slowly under turns")), List{"moved: turns > turns"});
}

TEST_F(Differences, ASentencePartThatMovesIsOneChange) {
  EXPECT_EQ(changes("The old mill stands by the river and its wheel turns slowly under heavy waters.",
                    "And its wheel turns slowly under heavy waters; the old mill stands by the river."),
            List{"moved: The old mill stands by the river > the old mill stands by the river"});
}

TEST_F(Differences, AnotherFormIsInflected) {
  EXPECT_EQ(changes_to(with("wheel turns", "wheels turn")),
            (List{"inflected: wheel > wheels", "inflected: turns > turn"}));
}

TEST_F(Differences, AMovedWordMayBeInflected) {
  EXPECT_EQ(changes_to(with("turns slowly under", "slowly under turn")),
            (List{"moved: turns > turn", "inflected: turns > turn"}));
}

TEST_F(Differences, ForeignLettersAreLookAlikes) {
  EXPECT_EQ(changes_to(with("heavy", "hеavy")), List{"look_alike: heavy > hеavy"});
}

TEST_F(Differences, AWordWhollyOfForeignLettersIsALookAlikeToo) {
  const std::string text =
      "Лошадь стряхивает с себя мокрый снег и ждёт седока у тёмных ворот постоялого двора.";
  std::string disguised = text;
  const auto put = [&](std::string_view word, std::string_view other) {
    disguised.replace(disguised.find(word), word.size(), other);
  };
  put(" с ", " c ");
  put("себя", "ceбя");
  put("мокрый", "мoкpый");
  put("ворот", "вopoт");
  EXPECT_EQ(changes(text, disguised), (List{"look_alike: с > c", "look_alike: себя > ceбя",
                                            "look_alike: мокрый > мoкpый", "look_alike: ворот > вopoт"}));
}

TEST_F(Differences, ASynonymIsNamedAndItsNeighboursAreReplaced) {
  EXPECT_EQ(changes_to(with("old mill stands", "new cottage stands")),
            (List{"replaced: old > new", "synonym: mill > cottage"}));
}

TEST_F(Differences, WithoutSynonymsTheyAreOtherWords) {
  DictionaryConfig config = files_.config({files_.write("en", test::kPluralAff, kDic)});
  dictionary_ = test::TinyDictionaries::open(config);
  EXPECT_EQ(changes_to(with("old mill stands", "old cottage stands")), List{"replaced: mill > cottage"});
}

// ---- what holds for all

WordSequence words_with(std::vector<std::uint64_t> classes) {
  WordSequence words;
  for (std::uint32_t i = 0; i < classes.size(); ++i) words.ranges.push_back({i, i + 1});
  words.bytes.assign(classes.size(), {0, 1});
  words.classes = std::move(classes);
  return words;
}

std::vector<std::uint64_t> random_classes(std::size_t count, std::uint64_t alphabet, std::mt19937& random) {
  std::vector<std::uint64_t> classes;
  for (; count > 0; --count) classes.push_back(mix64(random() % alphabet));
  return classes;
}

/// The words with some exchanged, left out, inserted and moved.
std::vector<std::uint64_t> edited(std::vector<std::uint64_t> classes, std::uint64_t alphabet,
                                  std::mt19937& random) {
  for (auto edits = random() % 30; edits > 0 && classes.size() > 4; --edits) {
    const auto at = classes.begin() + static_cast<std::ptrdiff_t>(random() % classes.size());
    switch (random() % 4) {
      case 0:
        *at = mix64(random() % alphabet);
        break;
      case 1:
        classes.erase(at);
        break;
      case 2:
        classes.insert(at, mix64(random() % alphabet));
        break;
      default:
        std::rotate(at, at + (classes.end() - at) / 3, at + (classes.end() - at) / 2);
    }
  }
  return classes;
}

/// Words of a range by class.
std::map<std::uint64_t, int> counted(const WordSequence& words, WordRange range) {
  std::map<std::uint64_t, int> counts;
  for (std::uint32_t i = range.begin; i < range.end; ++i) ++counts[words.classes[i]];
  return counts;
}

/// Expects that every word of the passage is paired or in one change, and that pairs are pairs.
void expect_complete(const AlignedPassage& passage, const WordSequence& a, const WordSequence& b,
                     const Dictionary& dictionary) {
  std::vector<int> a_uses(a.classes.size()), b_uses(b.classes.size());
  std::uint32_t b_least = passage.b_words.begin;
  for (const WordPair& pair : pair_words(passage, a.classes, b.classes)) {
    EXPECT_EQ(a.classes[pair.a], b.classes[pair.b]);
    ++a_uses[pair.a];
    ++b_uses[pair.b];
    if (pair.moved) continue;
    EXPECT_GE(pair.b, b_least);
    b_least = pair.b + 1;
  }
  for (const WordChange& one : find_changes(passage, {" ", a}, {" ", b}, dictionary)) {
    if (one.kind == ChangeKind::moved) {
      EXPECT_EQ(counted(a, one.a), counted(b, one.b));
      continue;
    }
    for (std::uint32_t i = one.a.begin; i < one.a.end; ++i) ++a_uses[i];
    for (std::uint32_t j = one.b.begin; j < one.b.end; ++j) ++b_uses[j];
  }
  for (std::uint32_t i = passage.a_words.begin; i < passage.a_words.end; ++i) EXPECT_EQ(a_uses[i], 1) << i;
  for (std::uint32_t j = passage.b_words.begin; j < passage.b_words.end; ++j) EXPECT_EQ(b_uses[j], 1) << j;
}

TEST(Changes, CoverEveryWordThatHasNoPartnerOnce) {
  std::mt19937 random(20131);
  const test::TinyDictionaries files;
  const auto dictionary = test::TinyDictionaries::open(files.config({}));
  std::size_t passages = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t alphabet = round % 2 == 0 ? 40 : 4;
    const WordSequence b = words_with(random_classes(20 + random() % 200, alphabet, random));
    const WordSequence a = words_with(edited(b.classes, alphabet, random));
    for (const AlignedPassage& passage : Aligner(a, {}).align(b).passages) {
      expect_complete(passage, a, b, *dictionary);
      ++passages;
    }
  }
  EXPECT_GT(passages, 300U);
}

TEST(Changes, AreFoundInLinearTimeAlsoInEqualWords) {
  const test::TinyDictionaries files;
  const auto dictionary = test::TinyDictionaries::open(files.config({}));
  const WordSequence a = words_with(std::vector<std::uint64_t>(1'000'000, 7));
  const WordSequence b = words_with(std::vector<std::uint64_t>(600'000, 7));
  const Alignment alignment = Aligner(a, {}).align(b);
  ASSERT_EQ(alignment.passages.size(), 1U);
  const auto changes = find_changes(alignment.passages[0], {" ", a}, {" ", b}, *dictionary);
  EXPECT_LE(changes.size(), 3U);
}

}  // namespace
}  // namespace akin
