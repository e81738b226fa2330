#include "morph/schemes/winnow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "morph/schemes/stop_words.h"
#include "tests/experiments/corpora.h"
#include "tests/morph/align/passages.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/cpu_levels.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

const Dictionary& known_words() {
  static const auto dictionary = tiny_dictionary("дом/дома дом/дому стоять/стоит cat/cats");
  return *dictionary;
}

FeatureSequence winnow_of(std::string_view text, std::string_view spec) {
  return test::must(extract_features(text, known_words(), *test::must(make_scheme(spec))));
}

using Features = std::vector<Feature>;
using Ranges = std::vector<TextRange>;

struct Setting {
  unsigned t = 1;
  std::string shape = "1";
  bool word = false, kept = false, stop_last = false;

  [[nodiscard]] std::string spec() const {
    return "winnow(shape=" + shape + ",t=" + std::to_string(t) + ",unit=" + (word ? "word" : "lemma") +
           ",order=" + (kept ? "kept" : "any") + (stop_last ? ",stop=last)" : ")");
  }
  [[nodiscard]] std::size_t span() const { return shape.size(); }
  [[nodiscard]] std::size_t window() const { return t - span() + 1; }
};

Setting random_setting(std::mt19937& random) {
  Setting setting;
  setting.shape = std::string(1 + random() % 6, '1');
  for (std::size_t i = 1; i + 1 < setting.span() && random() % 2 == 0; ++i) setting.shape[i] = '0';
  setting.t = static_cast<unsigned>(setting.span() + random() % (random() % 8 == 0 ? 256 : 10));
  setting.word = random() % 4 == 0;
  setting.kept = random() % 2 == 0;
  setting.stop_last = random() % 2 == 0;
  return setting;
}

// ---- spelling

TEST(WinnowSpec, NamesHaveAllParametersAndAreAcceptedBack) {
  const struct {
    std::string_view spec, name;
  } rows[] = {{"winnow", "winnow(k=4,t=8,unit=lemma,order=any)"},
              {"winnow()", "winnow(k=4,t=8,unit=lemma,order=any)"},
              {"winnow(t=12)", "winnow(k=4,t=12,unit=lemma,order=any)"},
              {"winnow(k=10)", "winnow(k=10,t=10,unit=lemma,order=any)"},
              {"winnow(order=kept,unit=word,t=4,k=4)", "winnow(k=4,t=4,unit=word,order=kept)"},
              {"winnow(stop=last)", "winnow(k=4,t=8,unit=lemma,order=any,stop=last)"},
              {"winnow(stop=kept)", "winnow(k=4,t=8,unit=lemma,order=any)"},
              {"winnow(k=64,t=319)", "winnow(k=64,t=319,unit=lemma,order=any)"},
              {"winnow(shape=1111)", "winnow(k=4,t=8,unit=lemma,order=any)"},
              {"winnow(shape=101011,k=4)", "winnow(k=4,t=8,unit=lemma,order=any,shape=101011)"},
              {"winnow(stop=last,shape=1000000001)",
               "winnow(k=2,t=10,unit=lemma,order=any,shape=1000000001,stop=last)"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_value()) << scheme.error().message();
    EXPECT_EQ((*scheme)->name(), row.name);
    const auto again = make_scheme((*scheme)->name());
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ((*again)->name(), row.name);
  }
}

TEST(WinnowSpec, WrongOnesAreRefusedWithTheReason) {
  const struct {
    std::string_view spec, reason;
  } rows[] = {{"winnow(k=0)", "from 1 to 64"},         {"winnow(k=65)", "from 1 to 64"},
              {"winnow(k=5,t=4)", "from 5 to 260"},    {"winnow(k=5,t=261)", "from 5 to 260"},
              {"winnow(stop=removed)", "kept, last"},  {"winnow(unit=letter)", "lemma, word"},
              {"winnow(order=sorted)", "any, kept"},   {"winnow(w=4)", "the parameters are k"},
              {"winnow(k=4,k=5)", "more than once"},   {"winnow(k=5,shape=101011)", "from 4 to 4"},
              {"winnow(shape=0101)", "of them 1"},     {"winnow(shape=1010)", "of them 1"},
              {"winnow(shape=1x1)", "digits 1 and 0"}, {"winnow(shape=101,t=2)", "from 3 to 258"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_error()) << row.spec;
    EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
    EXPECT_NE(scheme.error().message().find(row.reason), std::string::npos) << scheme.error().message();
  }
}

TEST(WinnowSpec, CanBeATierAndTakeSynonymsWhereItSumsClasses) {
  EXPECT_TRUE(make_scheme("tiers(pairs=sentence-pairs,seeds=winnow(k=5,t=10))").has_value());
  EXPECT_TRUE(make_scheme("synonyms(of=winnow)").has_value());
  EXPECT_TRUE(make_scheme("synonyms(of=winnow(unit=word))").has_error());
}

// ---- against the definition

struct UnitsOf final : SentenceSink {
  bool by_word = false;
  std::vector<std::uint64_t> units;
  std::vector<TextRange> ranges;
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      units.push_back(by_word ? word.key : word.lemma_class.hash);
      ranges.push_back(word.range);
    }
  }
};

UnitsOf scanned(std::string_view text, const Setting& setting) {
  UnitsOf sink;
  sink.by_word = setting.word;
  EXPECT_TRUE(scan_text(text, known_words(), sink).has_value());
  return sink;
}

std::vector<std::uint64_t> units_of(const std::string& text, const Setting& setting) {
  return scanned(text, setting).units;
}

/// What is winnowed: every gram, or one of all units where there are too few for a gram.
FeatureSequence grams_of(std::string_view text, const Setting& setting) {
  const UnitsOf all = scanned(text, setting);
  const std::string shape =
      all.units.size() < setting.span() ? std::string(all.units.size(), '1') : setting.shape;
  FeatureSequence grams;
  for (std::size_t i = 0; !shape.empty() && i + shape.size() <= all.units.size(); ++i) {
    RollingHash sum(kMaxWindowUnits, setting.kept);
    for (std::size_t place = 0; place < shape.size(); ++place)
      if (shape[place] == '1') sum.push(all.units[i + place]);
    grams.hashes.push_back(Feature{sum.value()});
    grams.ranges.push_back({all.ranges[i].begin, all.ranges[i + shape.size() - 1].end});
  }
  return grams;
}

/// How many units of each gram are stop words; 0 where the setting does not ask.
std::vector<std::size_t> ranks_of(const std::string& text, const Setting& setting) {
  const std::vector<std::uint64_t> units = units_of(text, setting);
  const std::vector<std::uint64_t> spellings = StopWords::of("removed").value().keys();
  const auto classes = stop_classes(known_words());
  const auto is_stop_word = [&](std::uint64_t unit) {
    return setting.word ? std::ranges::binary_search(spellings, unit) : classes->has(unit);
  };
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i + setting.span() <= units.size(); ++i) {
    std::size_t rank = 0;
    for (std::size_t place = 0; setting.stop_last && place < setting.span(); ++place)
      rank += setting.shape[place] == '1' && is_stop_word(units[i + place]) ? 1 : 0;
    ranks.push_back(rank);
  }
  return ranks;
}

/// Definition 4 word for word over all grams of the text: for each window the same gram as for the window
/// before if it is a least one, else the last that is.
FeatureSequence winnowed_slowly(const FeatureSequence& grams, const std::vector<std::size_t>& ranks,
                                std::size_t window) {
  FeatureSequence result;
  std::size_t selected = grams.hashes.size();
  for (std::size_t begin = 0; begin + window <= grams.hashes.size(); ++begin) {
    Feature least = grams.hashes[begin];
    for (std::size_t i = begin, best = begin; i < begin + window; ++i) {
      if (std::pair(ranks[i], grams.hashes[i]) < std::pair(ranks[best], grams.hashes[best])) best = i;
      least = grams.hashes[best];
    }
    const bool kept = selected >= begin && selected < begin + window && grams.hashes[selected] == least;
    if (kept) continue;
    for (selected = begin + window - 1; grams.hashes[selected] != least; --selected) {
    }
    result.hashes.push_back(least);
    result.ranges.push_back(grams.ranges[selected]);
  }
  return result;
}

void expect_winnowed(const std::string& text, const Setting& setting) {
  const FeatureSequence grams = grams_of(text, setting);
  const FeatureSequence got = winnow_of(text, setting.spec());
  const std::size_t window = setting.window();
  // Fewer grams than a window are kept all.
  const std::vector<std::size_t> ranks = ranks_of(text, setting);
  const FeatureSequence expected = ranks.size() < window ? grams : winnowed_slowly(grams, ranks, window);
  ASSERT_EQ(got.hashes, expected.hashes) << setting.spec() << text;
  ASSERT_EQ(got.ranges, expected.ranges) << setting.spec() << text;
}

/// `size` words of an alphabet of `letters`, with sentence ends and blank lines between some.
std::string random_words(std::size_t size, std::size_t letters, std::mt19937& random) {
  static const std::string marks[] = {" ", " ", " ", " ", ". ", ", ", "\n", "\n\n", "! — "};
  std::string text;
  static const std::string stop_words[] = {"the", "и", "und"};
  for (; size > 0; --size) {
    const auto letter = random() % letters;
    text += letter % 4 == 3 ? stop_words[letter % 3] : "w" + std::to_string(letter);
    text += marks[random() % std::size(marks)];
  }
  return text;
}

using WinnowForms = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, WinnowForms, testing::Values(CpuLevel::baseline, CpuLevel::v4),
                         NameOfCpuLevel());

TEST_P(WinnowForms, AgreeWithTheDefinitionOnRandomTexts) {
  std::mt19937 random(16);
  for (int i = 0; i < 3'000; ++i) {
    expect_winnowed(random_words(random() % 90, 1 + random() % 12, random), random_setting(random));
    if (HasFatalFailure()) return;
  }
}

/// The places that are selected, where grams arrive in pieces of random sizes.
std::vector<std::ptrdiff_t> selected_places(const std::vector<std::uint64_t>& values,
                                            const std::vector<std::uint8_t>& ranks, Winnowing winnowing,
                                            unsigned seed) {
  std::vector<std::uint64_t> padded_values(kMostLaneWindow + kMaxWindowGrams);
  std::vector<std::uint8_t> padded_ranks(padded_values.size());
  const std::size_t first = padded_values.size();
  padded_values.insert(padded_values.end(), values.begin(), values.end());
  padded_ranks.insert(padded_ranks.end(), ranks.begin(), ranks.end());
  padded_values.resize(padded_values.size() + kGramLanes);
  padded_ranks.resize(padded_values.size());
  std::vector<std::ptrdiff_t> places;
  std::mt19937 random(seed);
  for (std::size_t begin = 0; begin < values.size();) {
    const std::size_t count = std::min<std::size_t>(values.size() - begin, 1 + random() % 600);
    winnowing.push_all({padded_values.data() + first + begin, padded_ranks.data() + first + begin}, count,
                       [&](std::ptrdiff_t at) { places.push_back(static_cast<std::ptrdiff_t>(begin) + at); });
    begin += count;
  }
  return places;
}

TEST(Winnowing, AnErrorOfWhatTakesAGramReachesItsCaller) {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> values(kMostLaneWindow + 200);
  std::ranges::generate(values, random);
  const std::vector<std::uint8_t> ranks(values.size());
  for (const CpuLevel level : {CpuLevel::baseline, machine_cpu_level()}) {
    const CpuLimit limit(level);
    Winnowing winnowing(5, 1);
    EXPECT_THROW(winnowing.push_all({values.data() + kMostLaneWindow, ranks.data() + kMostLaneWindow}, 150,
                                    [](std::ptrdiff_t) { throw std::bad_alloc(); }),
                 std::bad_alloc);
  }
}

TEST(Winnowing, SelectsAlikeWithAndWithoutAvx512) {
  if (machine_cpu_level() < CpuLevel::v4) GTEST_SKIP() << "the processor has no AVX-512";
  std::mt19937 random(20);
  for (unsigned i = 0; i < 2'000; ++i) {
    const unsigned window = 1 + static_cast<unsigned>(random() % (kMostLaneWindow + 2));
    const unsigned most_rank = static_cast<unsigned>(random() % 3 == 0 ? 0 : random() % 9);
    const std::uint64_t kinds = random() % 2 == 0 ? 1 + random() % 60 : 1'000'000'000;
    std::vector<std::uint64_t> values(random() % 2'000);
    std::vector<std::uint8_t> ranks;
    for (std::uint64_t& value : values) {
      value = mix64(random() % kinds) & ~std::uint64_t{random() % 3 == 0 ? 0xffffU : 0U};
      value |= random() % 4;  // some differ in the lowest bits alone
      ranks.push_back(static_cast<std::uint8_t>(value / 4 % (most_rank + 1)));
    }
    const auto in_lanes = selected_places(values, ranks, Winnowing(window, most_rank), i);
    const CpuLimit limit(CpuLevel::baseline);
    ASSERT_EQ(in_lanes, selected_places(values, ranks, Winnowing(window, most_rank), i))
        << window << " " << most_rank << " " << kinds;
  }
}

TEST_P(WinnowForms, AgreeWithTheDefinitionOnPassages) {
  std::mt19937 random(17);
  for (const char* language : {"ru", "en", "de", "uk"}) {
    for (int i = 0; i < 10; ++i) expect_winnowed(passage(language), random_setting(random));
  }
}

// ---- the guarantee

/// All runs of `length` units.
std::set<std::vector<std::uint64_t>> runs_of(const std::vector<std::uint64_t>& units, std::size_t length) {
  std::set<std::vector<std::uint64_t>> runs;
  for (std::size_t i = 0; i + length <= units.size(); ++i) {
    const auto first = units.begin() + static_cast<std::ptrdiff_t>(i);
    runs.emplace(first, first + static_cast<std::ptrdiff_t>(length));
  }
  return runs;
}

bool share(const auto& a, const auto& b) {
  return std::ranges::any_of(
      a, [&](const auto& one) { return std::ranges::find(b, one) != std::ranges::end(b); });
}

/// Whether two texts share a run of so many units that their features must meet. Sets `met` if they do.
void expect_guarantee(const std::string& a, const std::string& b, const Setting& setting, int& guaranteed) {
  const auto units_a = units_of(a, setting), units_b = units_of(b, setting);
  const bool both_short = units_a.size() < setting.t && units_b.size() < setting.t;
  const std::size_t run = both_short ? setting.span() : setting.t;
  if (!share(runs_of(units_a, run), runs_of(units_b, run))) return;
  ++guaranteed;
  ASSERT_TRUE(share(winnow_of(a, setting.spec()).hashes, winnow_of(b, setting.spec()).hashes))
      << setting.spec() << "\n"
      << a << "\n"
      << b;
}

TEST(WinnowGuarantee, TextsThatShareARunOfTUnitsShareAFeature) {
  std::mt19937 random(18);
  int guaranteed = 0;
  for (int i = 0; i < 6'000; ++i) {
    const std::size_t letters = 1 + random() % 6;
    const std::string a = random_words(random() % 60, letters, random);
    const std::string b = random_words(random() % 60, letters, random);
    expect_guarantee(a, b, random_setting(random), guaranteed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(guaranteed, 1'500);
}

TEST(WinnowGuarantee, EveryRunOfTUnitsOfAPassageSharesAFeatureWithItWhateverStandsAroundIt) {
  std::mt19937 random(19);
  for (const char* language : {"ru", "en"}) {
    const std::string whole = passage(language);
    for (int i = 0; i < 4; ++i) {
      Setting setting = random_setting(random);
      setting.t = std::min(setting.t, static_cast<unsigned>(setting.span()) + 20);
      const FeatureSequence grams = grams_of(whole, setting);
      const FeatureSequence winnowed = winnow_of(whole, setting.spec());
      const std::set<Feature> stored(winnowed.hashes.begin(), winnowed.hashes.end());
      const std::size_t window = setting.window();
      for (std::size_t at = 0; at + window <= grams.hashes.size(); at += 1 + random() % 40) {
        const std::string run(
            slice_code_points(whole, grams.ranges[at].begin, grams.ranges[at + window - 1].end));
        const std::string quoting =
            random_words(random() % 30, 9, random) + run + " " + random_words(7, 9, random);
        const FeatureSequence query = winnow_of(quoting, setting.spec());
        ASSERT_TRUE(std::ranges::any_of(query.hashes, [&](Feature one) { return stored.contains(one); }))
            << setting.spec() << run;
      }
    }
  }
}

TEST(WinnowGuarantee, SentenceMarksAndOrderInsideAGramDoNotMatter) {
  const std::string_view spec = "winnow(k=4,t=8)";
  EXPECT_EQ(winnow_of("one two three four. Five six\n\nseven eight", spec).hashes,
            winnow_of("One, two — three; four five. Six! Seven. Eight.", spec).hashes);
  EXPECT_EQ(winnow_of("one two three four", spec).hashes, winnow_of("four three two one", spec).hashes);
  EXPECT_NE(winnow_of("one two three four", "winnow(k=4,t=8,order=kept)").hashes,
            winnow_of("four three two one", "winnow(k=4,t=8,order=kept)").hashes);
  EXPECT_EQ(winnow_of("дом стоит cat", spec).hashes, winnow_of("дому стоять cats", spec).hashes);
}

TEST(Winnow, UnitsThatTheShapeLeavesOutDoNotMatter) {
  EXPECT_EQ(winnow_of("one two three four five six", "winnow(shape=101011,t=6)").hashes,
            winnow_of("one new three old five six", "winnow(shape=101011,t=6)").hashes);
  EXPECT_NE(winnow_of("one two three four five six", "winnow(shape=101011,t=6)").hashes,
            winnow_of("one two new four five six", "winnow(shape=101011,t=6)").hashes);
}

// ---- short texts

TEST(Winnow, ATextOfFewerThanTUnitsKeepsAllItsGrams) {
  const std::string_view spec = "winnow(k=2,t=6)";
  EXPECT_EQ(winnow_of("a b c d e", spec).ranges, (Ranges{{0, 3}, {2, 5}, {4, 7}, {6, 9}}));
  EXPECT_LE(winnow_of("a b c d e f", spec).ranges.size(), 5U);
  EXPECT_GE(winnow_of("a b c d e f", spec).ranges.size(), 1U);
  EXPECT_EQ(winnow_of("a b", spec).ranges, (Ranges{{0, 3}}));
}

TEST(Winnow, ATextOfFewerThanKUnitsHasOneFeatureOfAllOfThem) {
  EXPECT_EQ(winnow_of(" Дом стоит. Cat.", "winnow(k=5,t=9)").ranges, (Ranges{{1, 15}}));
  EXPECT_TRUE(winnow_of("", "winnow").hashes.empty());
  EXPECT_TRUE(winnow_of("…", "winnow").hashes.empty());
}

// ---- density

double features_per_unit(const std::string& text, const Setting& setting) {
  return static_cast<double>(winnow_of(text, setting.spec()).hashes.size()) /
         static_cast<double>(units_of(text, setting).size());
}

TEST(WinnowDensity, IsTwoPerWindowAndOneOnRandomUnits) {
  std::mt19937 random(20);
  const std::string text = random_words(60'000, 1U << 30U, random);
  const Setting settings[] = {{8, "1111"}, {12, "1111"}, {14, "11111"},
                              {34, "111"}, {4, "1111"},  {12, "101011"}};
  for (const Setting& setting : settings) {
    const double expected = 2.0 / static_cast<double>(setting.window() + 1);
    EXPECT_NEAR(features_per_unit(text, setting), expected, 0.03 * expected) << setting.spec();
  }
}

TEST(Winnow, GramsOfStopWordsAreSelectedOnlyWhereNothingElseIs) {
  const std::string_view spec = "winnow(k=2,t=4,stop=last)";
  // The windows are three grams each; the gram without a stop word is in all of them.
  EXPECT_EQ(winnow_of("of the red fox in the", spec).ranges, (Ranges{{7, 14}}));
  EXPECT_EQ(winnow_of("of the in and", spec).hashes.size(), 1U);
}

TEST(WinnowDensity, IsOnePerWindowOnATextOfOneWord) {
  std::mt19937 random(21);
  const std::string text = random_words(10'000, 1, random);
  EXPECT_EQ(winnow_of(text, "winnow(k=4,t=12)").hashes.size(), (10'000 - 4 + 1) / 9);
}

TEST(WinnowDensity, HoldsOnProse) {
  const std::filesystem::path corpora = experiments::corpora_folder();
  if (corpora.empty()) GTEST_SKIP() << "no corpora (AKIN_CORPORA)";
  int works = 0;
  for (const char* folder : {"ru-novels", "en-novels"}) {
    for (const auto& work : experiments::read_works(corpora, folder)) {
      const std::string text(slice_code_points(work.text, 20'000, 120'000));
      if (count_code_points(text) < 100'000) continue;
      EXPECT_NEAR(features_per_unit(text, {12, "1111"}), 0.2, 0.01) << work.id;
      expect_winnowed(text, {12, "1111"});
      if (++works % 5 == 0) break;
    }
  }
  EXPECT_EQ(works, 10);
}

// ---- what stands in an index must not change

TEST(Winnow, HashesArePinned) {
  // Those of shingles of the same units, which shingles_test pins.
  EXPECT_EQ(winnow_of("Дом стоит. Cats and dogs.", "winnow(k=2,t=2,unit=word,order=kept)").hashes,
            (Features{Feature{0x14f7da2f85fb7890U}, Feature{0x71f8eda87149a5faU},
                      Feature{0x4e0202b38fac51aaU}, Feature{0xe76eb200c554ab79U}}));
  EXPECT_EQ(winnow_of("Дом стоит. Cats and dogs.", "winnow(k=2,t=5,unit=word,order=any)").hashes,
            (Features{Feature{0x083a5f581628446fU}}));
  EXPECT_EQ(
      winnow_of("Дом стоит. Cats and dogs.", "winnow(shape=101,t=3,unit=word)").hashes,
      (Features{Feature{0x73c581d571e539bcU}, Feature{0x24b85a18bca75633U}, Feature{0xa09ee5fc0024a61dU}}));
}

}  // namespace
}  // namespace akin
