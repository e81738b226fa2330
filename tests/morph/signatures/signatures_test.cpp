#include "morph/signatures/signatures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "morph/schemes/scheme.h"
#include "morph/signatures/min_hash.h"
#include "morph/signatures/signature_math.h"
#include "tests/morph/align/passages.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

const Dictionary& signature_words() {
  static const auto dictionary = tiny_dictionary("дом кот");
  return *dictionary;
}

FeatureSequence signatures_of(std::string_view text, std::string_view spec) {
  return test::must(extract_features(text, signature_words(), *test::must(make_scheme(spec))));
}

std::size_t common(const FeatureSequence& a, const FeatureSequence& b) {
  std::vector<Feature> left = a.hashes, right = b.hashes, both;
  std::ranges::sort(left);
  std::ranges::sort(right);
  std::ranges::set_intersection(left, right, std::back_inserter(both));
  return both.size();
}

TEST(Signatures, NamesHaveAllParametersAndAreAcceptedBack) {
  const std::string base = "shingles(w=5,unit=lemma,order=kept,stop=kept,sample=all,count=multiset)";
  const struct {
    std::string_view spec;
    std::string name;
  } rows[] = {
      {"minhash", "minhash(k=84,minima=bins,of=" + base + ")"},
      {"minhash(minima=functions,k=1024,of=sentences)", "minhash(k=1024,minima=functions,of=sentences)"},
      {"supershingles", "supershingles(groups=14,size=6,minima=bins,of=" + base + ")"},
      {"supershingles(size=2,of=paper-2009,groups=3)",
       "supershingles(groups=3,size=2,minima=bins,of=paper-2009(ids=plain))"},
      {"megashingles", "megashingles(groups=6,size=14,minima=bins,of=" + base + ")"},
      {"megashingles(of=shingles(w=4,sample=mod:25))",
       "megashingles(groups=6,size=14,minima=bins,of=shingles(w=4,unit=lemma,order=kept,stop=kept,"
       "sample=mod:25,count=multiset))"},
  };
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_value()) << scheme.error().message();
    EXPECT_EQ((*scheme)->name(), row.name);
    const auto again = make_scheme(row.name);
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ((*again)->name(), row.name);
    EXPECT_TRUE((*scheme)->generates_candidates());
    EXPECT_FALSE((*scheme)->verifying_scheme().generates_candidates());
  }
}

TEST(Signatures, WrongSpecsAreRefusedWithTheReason) {
  const struct {
    std::string_view spec, reason;
  } rows[] = {{"minhash(k=0)", "from 1 to 1024"},
              {"minhash(k=1025)", "from 1 to 1024"},
              {"minhash(groups=6)", "the parameters are k, minima, of"},
              {"supershingles(groups=33,size=32)", "over 1024"},
              {"supershingles(minima=some)", "bins, functions"},
              {"supershingles(of=nothing)", "no such scheme"},
              {"supershingles(of=shingles(w=99))", "from 1 to 64"},
              {"supershingles(of=minhash)", "cannot verify"},
              {"megashingles(groups=1)", "from 2 to 64"},
              {"megashingles(groups=65,size=1)", "from 2 to 64"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_error()) << row.spec;
    EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
    EXPECT_NE(scheme.error().message().find(row.reason), std::string::npos) << scheme.error().message();
  }
}

TEST(Signatures, HaveAFeatureForEachGroupThatStandsForTheWholeText) {
  const std::string text = passage("ru");
  const FeatureSequence shingles = signatures_of(text, "shingles");
  const struct {
    std::string_view spec;
    std::size_t features;
  } rows[] = {{"minhash(k=17)", 17},
              {"supershingles(groups=14,size=6)", 14},
              {"megashingles(groups=6,size=14)", 15},
              {"supershingles(minima=functions)", 14},
              {"megashingles(groups=4,size=2,minima=functions)", 6}};
  for (const auto& row : rows) {
    const FeatureSequence got = signatures_of(text, row.spec);
    ASSERT_EQ(got.hashes.size(), row.features) << row.spec;
    std::vector<Feature> distinct = got.hashes;
    std::ranges::sort(distinct);
    EXPECT_EQ(std::ranges::unique(distinct).size(), 0U) << row.spec;
    for (const TextRange range : got.ranges) {
      EXPECT_EQ(range, (TextRange{shingles.ranges.front().begin, shingles.ranges.back().end}));
    }
    EXPECT_TRUE(signatures_of(" … ", row.spec).hashes.empty()) << row.spec;
    // Made from the features of the verifying scheme, it is the same.
    const FeatureSequence made = (*make_scheme(row.spec))->signature(shingles);
    EXPECT_EQ(made.hashes, got.hashes);
    EXPECT_EQ(made.ranges, got.ranges);
    EXPECT_EQ(made.words, got.words);
  }
}

TEST(Signatures, DoNotKnowOrderNorRepetition) {
  const auto scheme = *make_scheme("supershingles(groups=5,size=3,of=sentences)");
  FeatureSequence once, often;
  for (const std::uint64_t value : {7U, 1U, 9U}) once.hashes.push_back(Feature{value});
  for (const std::uint64_t value : {9U, 9U, 1U, 7U, 1U}) often.hashes.push_back(Feature{value});
  once.ranges.resize(3);
  often.ranges.resize(5);
  EXPECT_EQ(scheme->signature(once).hashes, scheme->signature(often).hashes);
}

TEST(Signatures, MegashinglesAreCommonExactlyWhereTwoSupershinglesAre) {
  std::mt19937_64 random(5);
  const auto super = *make_scheme("supershingles(groups=8,size=2)");
  const auto mega = *make_scheme("megashingles(groups=8,size=2)");
  for (int round = 0; round < 300; ++round) {
    FeatureSequence a, b;
    for (int i = 0; i < 60; ++i) {
      a.hashes.push_back(Feature{random()});
      b.hashes.push_back(random() % 4 != 0 ? a.hashes.back() : Feature{random()});
    }
    a.ranges.resize(60);
    b.ranges.resize(60);
    const std::size_t groups = common(super->signature(a), super->signature(b));
    EXPECT_EQ(common(mega->signature(a), mega->signature(b)),
              groups * (groups - std::min<std::size_t>(groups, 1)) / 2);
  }
}

// ---- minima

/// Two sets of `each` features, `shared` of which are the same.
struct Sets {
  std::vector<Feature> a, b;
  Sets(std::mt19937_64& random, std::size_t each, std::size_t shared) {
    for (std::size_t i = 0; i < shared; ++i) a.push_back(Feature{random()});
    b = a;
    while (a.size() < each) a.push_back(Feature{random()});
    while (b.size() < each) b.push_back(Feature{random()});
  }
};

/// The share of equal minima is the resemblance, also where there are fewer features than minima, and where
/// features are small numbers.
/// Signatures are stored: another value is another format.
TEST(MinHash, MinimaArePinned) {
  const std::vector<Feature> features = {Feature{1}, Feature{2}, Feature{0x123456789abcdef0U}};
  const std::vector<std::uint64_t> of_functions = {11225516384486381978U, 2133062793988562223U,
                                                   10475408355677764076U, 500184234969085386U};
  const std::vector<std::uint64_t> of_bins = {15919657119131486710U, 15919657119131486710U,
                                              12918135221727111561U, 15919657119131486710U};
  EXPECT_EQ(min_hash(features, 4, Minima::functions), of_functions);
  EXPECT_EQ(min_hash(features, 4, Minima::bins), of_bins);
}

TEST(MinHash, EqualMinimaAreTheResemblanceOnAverage) {
  constexpr std::size_t kMinima = 84;
  constexpr int kRounds = 3'000;
  const struct {
    std::size_t each, shared;
  } rows[] = {{1, 0}, {2, 1}, {10, 5}, {40, 36}, {84, 60}, {300, 270}, {1'000, 100}};
  for (const Minima minima : {Minima::functions, Minima::bins}) {
    std::mt19937_64 random(9);
    for (const auto& row : rows) {
      const double expected =
          static_cast<double>(row.shared) / static_cast<double>(2 * row.each - row.shared);
      double sum = 0, squares = 0;
      for (int round = 0; round < kRounds; ++round) {
        const Sets sets(random, row.each, row.shared);
        const auto a = min_hash(sets.a, kMinima, minima);
        const auto b = min_hash(sets.b, kMinima, minima);
        std::size_t equal = 0;
        for (std::size_t i = 0; i < kMinima; ++i) equal += a[i] == b[i] ? 1 : 0;
        const double share = static_cast<double>(equal) / kMinima;
        sum += share;
        squares += share * share;
      }
      const double mean = sum / kRounds;
      const double deviation = std::sqrt(std::max(0.0, squares / kRounds - mean * mean) / kRounds);
      EXPECT_NEAR(mean, expected, 4.5 * deviation + 1e-12)
          << row.each << " features, " << row.shared << " shared, "
          << (minima == Minima::bins ? "bins" : "functions");
    }
  }
}

TEST(MinHash, SmallNumbersAreAsGoodAsLargeOnes) {
  std::mt19937_64 random(10);
  for (const Minima minima : {Minima::functions, Minima::bins}) {
    std::size_t equal = 0;
    for (std::uint64_t round = 0; round < 2'000; ++round) {
      std::vector<Feature> a, b;
      for (std::uint64_t i = 0; i < 60; ++i) {
        a.push_back(Feature{round * 1'000 + i});
        b.push_back(Feature{round * 1'000 + i + 20});
      }
      const auto left = min_hash(a, 84, minima);
      const auto right = min_hash(b, 84, minima);
      for (std::size_t i = 0; i < 84; ++i) equal += left[i] == right[i] ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(equal) / 84 / 2'000, 0.5, 0.01);
  }
}

/// The probability of a common supershingle is the formula's with functions; bins are not independent of one
/// another, which the tolerance is for.
TEST(MinHash, GroupsMeetAsTheFormulaSays) {
  const struct {
    std::size_t each, shared;
    Grouping grouping;
  } rows[] = {{1'000, 824, {14, 6}}, {1'000, 948, {6, 14}}, {1'000, 667, {14, 6}}, {200, 165, {14, 6}}};
  constexpr int kRounds = 1'500;
  for (const Minima minima : {Minima::functions, Minima::bins}) {
    std::mt19937_64 random(11);
    for (const auto& row : rows) {
      const double similarity =
          static_cast<double>(row.shared) / static_cast<double>(2 * row.each - row.shared);
      const auto [groups, size] = row.grouping;
      int found = 0;
      for (int round = 0; round < kRounds; ++round) {
        const Sets sets(random, row.each, row.shared);
        const auto a = min_hash(sets.a, groups * size, minima);
        const auto b = min_hash(sets.b, groups * size, minima);
        bool any = false;
        for (std::size_t group = 0; group < groups; ++group) {
          const auto first = static_cast<std::ptrdiff_t>(group * size);
          any = any || std::equal(a.begin() + first, a.begin() + first + static_cast<std::ptrdiff_t>(size),
                                  b.begin() + first);
        }
        found += any ? 1 : 0;
      }
      const double expected = supershingle_probability(similarity, row.grouping);
      const double deviation = std::sqrt(expected * (1 - expected) / kRounds);
      const double slack = minima == Minima::bins ? 0.03 : 0.0;
      EXPECT_NEAR(static_cast<double>(found) / kRounds, expected, 4.5 * deviation + slack)
          << "at " << similarity << (minima == Minima::bins ? " bins" : " functions");
    }
  }
}

}  // namespace
}  // namespace akin
