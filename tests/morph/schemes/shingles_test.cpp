#include "morph/schemes/shingles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "tests/experiments/corpora.h"
#include "tests/morph/align/passages.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

const Dictionary& shingle_words() {
  static const auto dictionary = tiny_dictionary("дом/дома дом/дому стоять/стоит a and the cat/cats");
  return *dictionary;
}

FeatureSequence shingles_of(std::string_view text, std::string_view spec) {
  return test::must(extract_features(text, shingle_words(), *test::must(make_scheme(spec))));
}

using Features = std::vector<Feature>;
using Ranges = std::vector<TextRange>;

// ---- spelling

TEST(ShinglesSpec, NamesHaveAllParametersAndAreAcceptedBack) {
  const struct {
    std::string_view spec, name;
  } rows[] = {
      {"shingles", "shingles(w=5,unit=lemma,order=kept,stop=kept,sample=all,count=multiset)"},
      {"shingles()", "shingles(w=5,unit=lemma,order=kept,stop=kept,sample=all,count=multiset)"},
      {"shingles(count=set,w=1)", "shingles(w=1,unit=lemma,order=kept,stop=kept,sample=all,count=set)"},
      {"shingles(w=64,unit=word,order=sorted)",
       "shingles(w=64,unit=word,order=sorted,stop=kept,sample=all,count=multiset)"},
      {"shingles(unit=letter,stop=ru+en+ru)",
       "shingles(w=5,unit=letter,order=kept,stop=en+ru,sample=all,count=multiset)"},
      {"shingles(sample=mod:25,w=4)",
       "shingles(w=4,unit=lemma,order=kept,stop=kept,sample=mod:25,count=multiset)"},
      {"shingles(sample=min:160)", "shingles(w=5,unit=lemma,order=kept,stop=kept,sample=min:160,count=set)"},
      {"shingles(marks=removed)", "shingles(w=5,unit=lemma,order=kept,stop=kept,sample=all,count=multiset)"},
      {"shingles(marks=kept,w=2)",
       "shingles(w=2,unit=lemma,order=kept,stop=kept,sample=all,count=multiset,marks=kept)"},
      {"shingles(stop=removed)",
       "shingles(w=5,unit=lemma,order=kept,stop=cs+da+de+en+es+fi+fr+hu+it+nl+no+pl+pt+ru+sv+uk,"
       "sample=all,count=multiset)"},
  };
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_value()) << scheme.error().message();
    EXPECT_EQ((*scheme)->name(), row.name);
    const auto again = make_scheme((*scheme)->name());
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ((*again)->name(), row.name);
  }
}

TEST(Shingles, KeptMarksAreUnitsWhereTheyStand) {
  const auto kept = shingles_of("«Дом», — стоит! Кот?", "shingles(w=1,marks=kept)");
  const Ranges expected = {{1, 4}, {4, 5}, {5, 6}, {7, 8}, {9, 14}, {14, 15}, {16, 19}};
  EXPECT_EQ(kept.ranges, expected);
  const auto words = shingles_of("«Дом», — стоит! Кот?", "shingles(w=1)");
  EXPECT_EQ(words.hashes, (Features{kept.hashes[0], kept.hashes[4], kept.hashes[6]}));
}

TEST(Shingles, MarksOfOneKindAreEqual) {
  const std::string_view spec = "shingles(w=3,unit=word,marks=kept)";
  EXPECT_EQ(shingles_of("a «b» – c", spec).hashes, shingles_of("A \u201cb\u201d \u2014 c", spec).hashes);
  EXPECT_NE(shingles_of("a, b", spec).hashes, shingles_of("a; b", spec).hashes);
  EXPECT_NE(shingles_of("a, b", spec).hashes, shingles_of("a b", spec).hashes);
}

TEST(Shingles, MarksAroundStopWordsStay) {
  const auto without = shingles_of("cat (and) cat", "shingles(w=1,unit=word,stop=en,marks=kept)");
  const Ranges expected = {{0, 3}, {4, 5}, {8, 9}, {10, 13}};
  EXPECT_EQ(without.ranges, expected);
}

TEST(ShinglesSpec, OverlongOnesAreRefusedWithoutRepeatingThem) {
  const auto scheme = make_scheme("shingles(w=" + std::string(1'000'000, '5') + ")");
  ASSERT_TRUE(scheme.has_error());
  EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
  EXPECT_LT(scheme.error().message().size(), 300U);
}

TEST(ShinglesSpec, WrongOnesAreRefusedWithTheReason) {
  const struct {
    std::string_view spec, reason;
  } rows[] = {{"shingles(w=0)", "from 1 to 64"},
              {"shingles(w=65)", "from 1 to 64"},
              {"shingles(w=-1)", "from 1 to 64"},
              {"shingles(w=5x)", "from 1 to 64"},
              {"shingles(w=)", "not of the form"},
              {"shingles(=5)", "not of the form"},
              {"shingles(5)", "not of the form"},
              {"shingles(w=5,)", "comma"},
              {"shingles(w=5,w=6)", "more than once"},
              {"shingles(w=5", "closing parenthesis"},
              {"shingles(w=5))", "do not match"},
              {"shingles(w=(5)", "do not match"},
              {"shingles(width=5)", "the parameters are w, unit"},
              {"shingles(unit=stem)", "lemma, word, letter"},
              {"shingles(order=any)", "kept, sorted"},
              {"shingles(stop=xx)", "no list for 'xx'"},
              {"shingles(stop=ru+)", "no list"},
              {"shingles(sample=half)", "mod:M"},
              {"shingles(sample=mod:1)", "from 2 to"},
              {"shingles(sample=mod:)", "from 2 to"},
              {"shingles(sample=min:0)", "from 1 to"},
              {"shingles(sample=min:9,count=multiset)", "are a set"},
              {"shingles(count=bag)", "multiset, set"},
              {"sentences(w=5)", "no parameters"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_error()) << row.spec;
    EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
    EXPECT_NE(scheme.error().message().find(row.reason), std::string::npos) << scheme.error().message();
  }
}

// ---- values that indexes store must not change

TEST(Shingles, HashesArePinned) {
  // Worked out by another program from the definition in rolling_hash.h.
  const std::string_view text = "Дом стоит. Cats and dogs.";
  EXPECT_EQ(shingles_of(text, "shingles(w=2,unit=word)").hashes,
            (Features{Feature{0x14f7da2f85fb7890U}, Feature{0x71f8eda87149a5faU},
                      Feature{0x4e0202b38fac51aaU}, Feature{0xe76eb200c554ab79U}}));
  EXPECT_EQ(shingles_of(text, "shingles(w=2,unit=word,order=sorted)").hashes,
            (Features{Feature{0x33c837757531ee8aU}, Feature{0x1dc1d18526efa2b1U},
                      Feature{0x083a5f581628446fU}, Feature{0xcea7ba3827ba5eecU}}));
  EXPECT_EQ(shingles_of("ab", "shingles(w=1,unit=letter)").hashes,
            (Features{Feature{0xb5099ea04421145eU}, Feature{0x2de59bd888d3a3faU}}));
}

TEST(StopWords, ListsArePinned) {
  // A changed list changes features under the same name: raise kHashVersion (base/hash.h) with this number.
  const std::vector<std::uint64_t> keys = StopWords::of("removed")->keys();
  std::uint64_t all = 0;
  for (const std::uint64_t key : keys) all = mix64(all ^ key);
  EXPECT_EQ(keys.size(), 2766U);
  EXPECT_EQ(all, 8034339968348239049U);
  EXPECT_EQ(kHashVersion, 11U);
}

// ---- against the definition

/// Units of a text and the ranges they stand for.
struct Units final : SentenceSink {
  explicit Units(std::string_view what, const StopWords& stop) : unit(what), stop_words(stop) {}

  std::string_view unit;
  const StopWords& stop_words;
  std::vector<std::uint64_t> values;
  Ranges ranges;

  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      if (stop_words.has(word.key)) continue;
      if (unit == "lemma") add(word.lemma_class.hash, word.range);
      if (unit == "word") add(word.key, word.range);
      if (unit != "letter") continue;
      if (!values.empty() && stop_words.languages().empty()) add(U' ', {ranges.back().end, word.range.begin});
      const bool kept = word.letters.size() == word.range.end - word.range.begin;
      for (std::uint32_t i = 0; i < word.letters.size(); ++i) {
        add(word.letters[i], kept ? TextRange{word.range.begin + i, word.range.begin + i + 1} : word.range);
      }
    }
  }

 private:
  void add(std::uint64_t value, TextRange range) {
    values.push_back(value);
    ranges.push_back(range);
  }
};

struct Option {
  unsigned w = 1;
  std::string unit = "lemma";
  bool sorted = false;
  std::string stop = "kept";

  [[nodiscard]] std::string spec(const std::string& rest) const {
    return "shingles(w=" + std::to_string(w) + ",unit=" + unit + ",order=" + (sorted ? "sorted" : "kept") +
           ",stop=" + stop + "," + rest + ")";
  }
};

/// Features are equal exactly where windows are, and stand where they stand.
void expect_windows(const std::string& text, const Option& option) {
  const StopWords stop = option.stop == "kept" ? StopWords() : *StopWords::of(option.stop);
  Units units(option.unit, stop);
  ASSERT_TRUE(scan_text(text, shingle_words(), units).has_value());
  const std::size_t size = std::min<std::size_t>(option.w, units.values.size());
  const FeatureSequence got = shingles_of(text, option.spec("sample=all"));
  const std::size_t windows = units.values.empty() ? 0 : units.values.size() - size + 1;
  ASSERT_EQ(got.hashes.size(), windows) << option.spec("") << text;
  std::map<std::vector<std::uint64_t>, Feature> feature_of;
  std::set<Feature> distinct;
  for (std::size_t i = 0; i < windows; ++i) {
    const auto first = units.values.begin() + static_cast<std::ptrdiff_t>(i);
    std::vector<std::uint64_t> window(first, first + static_cast<std::ptrdiff_t>(size));
    if (option.sorted) std::ranges::sort(window);
    ASSERT_EQ(feature_of.emplace(window, got.hashes[i]).first->second, got.hashes[i]) << text;
    distinct.insert(got.hashes[i]);
    const TextRange range{units.ranges[i].begin, units.ranges[i + size - 1].end};
    ASSERT_EQ(got.ranges[i], range) << option.spec("") << text;
  }
  ASSERT_EQ(distinct.size(), feature_of.size()) << option.spec("") << text;
}

/// The features of `all` that a sample keeps, by its definition.
void expect_sample(const std::string& text, const Option& option, const std::string& kind, std::uint64_t size,
                   bool set) {
  const FeatureSequence all = shingles_of(text, option.spec("sample=all"));
  Features hashes;
  Ranges ranges;
  std::set<Feature> smallest(all.hashes.begin(), all.hashes.end());
  if (smallest.size() > size)
    smallest.erase(std::next(smallest.begin(), static_cast<int>(size)), smallest.end());
  std::set<Feature> seen;
  for (std::size_t i = 0; i < all.hashes.size(); ++i) {
    const Feature feature = all.hashes[i];
    if (kind == "mod" && static_cast<std::uint64_t>(feature) % size != 0) continue;
    if (kind == "min" && !smallest.contains(feature)) continue;
    if (set && !seen.insert(feature).second) continue;
    hashes.push_back(feature);
    ranges.push_back(all.ranges[i]);
  }
  const std::string sample = kind == "all" ? kind : kind + ":" + std::to_string(size);
  const std::string spec = option.spec("sample=" + sample + ",count=" + (set ? "set" : "multiset"));
  const FeatureSequence got = shingles_of(text, spec);
  ASSERT_EQ(got.hashes, hashes) << spec << text;
  ASSERT_EQ(got.ranges, ranges) << spec << text;
}

void expect_all(const std::string& text, const Option& option, std::uint64_t size) {
  expect_windows(text, option);
  expect_sample(text, option, "all", size, true);
  expect_sample(text, option, "mod", size + 1, false);
  expect_sample(text, option, "mod", size + 1, true);
  expect_sample(text, option, "min", size, true);
}

Option random_option(std::mt19937& random) {
  static const std::vector<std::string> units = {"lemma", "word", "letter"};
  static const std::vector<std::string> stops = {"kept", "kept", "ru", "en+ru", "removed"};
  Option option;
  option.w = 1 + static_cast<unsigned>(random() % (random() % 8 == 0 ? 64 : 7));
  option.unit = units[random() % units.size()];
  option.sorted = random() % 2 == 0;
  option.stop = stops[random() % stops.size()];
  return option;
}

TEST(Shingles, AgreeWithTheirDefinitionOnRandomTexts) {
  const std::vector<std::string> pieces = {"дом", "дома", "дому", "стоит", "и",    "в",      "кот",
                                           "cat", "cats", "and",  "the",   "漢字", "x1",     ". ",
                                           "! ",  "\n\n", "(—) ", "ﬁ",     "-",    "е\u0301"};
  std::mt19937 random(6);
  for (int i = 0; i < 1'500; ++i) {
    std::string text;
    for (std::size_t size = random() % 90; size > 0; --size) {
      text += pieces[random() % pieces.size()];
      if (random() % 8 != 0) text += ' ';
    }
    expect_all(text, random_option(random), 1 + random() % 12);
    if (HasFatalFailure()) return;
  }
}

TEST(Shingles, AgreeWithTheirDefinitionOnPassages) {
  std::mt19937 random(7);
  for (const char* language : {"ru", "en", "de", "uk"}) {
    for (int i = 0; i < 6; ++i) expect_all(passage(language), random_option(random), 1 + random() % 400);
  }
}

TEST(Shingles, AgreeWithTheirDefinitionOnCorpora) {
  const std::filesystem::path corpora = experiments::corpora_folder();
  if (corpora.empty()) GTEST_SKIP() << "no corpora (AKIN_CORPORA)";
  std::mt19937 random(8);
  for (const char* folder : {"ru-novels", "en-novels", "other-lang"}) {
    int works = 0;
    for (const auto& work : experiments::read_works(corpora, folder)) {
      expect_all(std::string(slice_code_points(work.text, 1'000, 30'000)), random_option(random),
                 1 + random() % 2'000);
      if (++works == 6 || HasFatalFailure()) break;
    }
  }
}

// ---- rules of the page

TEST(Shingles, CrossSentenceEndsAndKnowClasses) {
  EXPECT_EQ(shingles_of("Дом стоит. Кот.", "shingles(w=2)").ranges, (Ranges{{0, 9}, {4, 14}}));
  EXPECT_EQ(shingles_of("Дом стоит. Кот.", "shingles(w=2)").hashes,
            shingles_of("Дому. Стоять! Кот", "shingles(w=2)").hashes);
  EXPECT_NE(shingles_of("Дом стоит.", "shingles(w=2,unit=word)").hashes,
            shingles_of("Дому стоит.", "shingles(w=2,unit=word)").hashes);
}

TEST(Shingles, FewerUnitsThanTheWindowMakeOneShingle) {
  EXPECT_EQ(shingles_of(" Дом стоит. Кот.", "shingles(w=5)").ranges, (Ranges{{1, 15}}));
  EXPECT_EQ(shingles_of("Кот", "shingles(w=64)").ranges, (Ranges{{0, 3}}));
  EXPECT_TRUE(shingles_of("", "shingles").hashes.empty());
  EXPECT_TRUE(shingles_of("И в, и на!", "shingles(stop=ru)").hashes.empty());
  EXPECT_EQ(shingles_of("И в, и на!", "shingles").hashes.size(), 1U);
}

TEST(Shingles, SortedOnesDoNotKnowOrder) {
  EXPECT_EQ(shingles_of("кот дом лес", "shingles(w=3,order=sorted)").hashes,
            shingles_of("лес кот дом", "shingles(w=3,order=sorted)").hashes);
  EXPECT_NE(shingles_of("кот дом лес", "shingles(w=3)").hashes,
            shingles_of("лес кот дом", "shingles(w=3)").hashes);
  EXPECT_NE(shingles_of("кот кот дом", "shingles(w=3,order=sorted)").hashes,
            shingles_of("кот дом дом", "shingles(w=3,order=sorted)").hashes);
}

TEST(Shingles, LettersKnowSpacesUnlessStopWordsAreLeftOut) {
  EXPECT_EQ(shingles_of("a b", "shingles(w=2,unit=letter)").ranges, (Ranges{{0, 2}, {1, 3}}));
  EXPECT_EQ(shingles_of("abc", "shingles(w=2,unit=letter)").ranges, (Ranges{{0, 2}, {1, 3}}));
  EXPECT_EQ(shingles_of("aﬁ", "shingles(w=2,unit=letter)").ranges, (Ranges{{0, 2}, {0, 2}}));
  EXPECT_NE(shingles_of("кот лес", "shingles(w=5,unit=letter)").hashes,
            shingles_of("котлес", "shingles(w=5,unit=letter)").hashes);
  EXPECT_EQ(shingles_of("Кот, и… лес", "shingles(w=5,unit=letter,stop=ru)").hashes,
            shingles_of("котлес", "shingles(w=5,unit=letter,stop=ru)").hashes);
}

TEST(Shingles, ATextOfTwoWordsOnlyHasNoFalseTwins) {
  // Thue and Morse's sequence and its complement: the worst case of sums modulo a power of two.
  std::string morse, complement;
  for (unsigned i = 0; i < 64; ++i) {
    const bool odd = std::popcount(i) % 2 != 0;
    morse += odd ? "кот " : "дом ";
    complement += odd ? "дом " : "кот ";
  }
  EXPECT_NE(shingles_of(morse, "shingles(w=64)").hashes, shingles_of(complement, "shingles(w=64)").hashes);
  EXPECT_EQ(shingles_of(morse, "shingles(w=64,order=sorted)").hashes,
            shingles_of(complement, "shingles(w=64,order=sorted)").hashes);
}

TEST(Shingles, OnlySamplesOfOneSizeHaveNoContainment) {
  for (const std::string_view spec :
       {"shingles", "shingles(sample=mod:25)", "shingles(count=set)", "sentences"})
    EXPECT_TRUE((*make_scheme(spec))->has_containment()) << spec;
  EXPECT_FALSE((*make_scheme("shingles(sample=min:160)"))->has_containment());
}

}  // namespace
}  // namespace akin
