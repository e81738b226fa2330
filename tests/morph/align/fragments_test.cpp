#include "morph/align/fragments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace akin {

// NOLINTNEXTLINE(misc-use-internal-linkage): GoogleTest looks it up by argument
void PrintTo(const Fragment& one, std::ostream* out) { *out << one.a << "-" << one.b << "+" << one.length; }

namespace {

using WordList = std::vector<std::uint64_t>;

std::vector<Fragment> fragments_of(const WordList& a, const WordList& b, const AlignOptions& options) {
  const GramTable grams(a, options.seed, options.ordered);
  std::vector<Fragment> fragments = find_fragments({a, grams}, b, options);
  // Also where the words of B are given by numbers.
  WordList classes = b;
  std::ranges::sort(classes);
  classes.erase(std::ranges::unique(classes).begin(), classes.end());
  std::vector<std::uint32_t> numbers;
  for (const std::uint64_t word : b)
    numbers.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(classes, word) - classes.begin()));
  const NumberedWords numbered(classes, numbers);
  EXPECT_EQ(find_fragments({a, grams}, ClassFilter(a), numbered, options), fragments);
  return fragments;
}

AlignOptions options_of(unsigned seed, unsigned run, unsigned places, bool ordered = true) {
  AlignOptions options;
  options.seed = seed;
  options.run = run;
  options.places = places;
  options.ordered = ordered;
  return options;
}

WordList random_list(std::size_t size, std::uint64_t alphabet, std::mt19937& random) {
  WordList words(size);
  for (std::uint64_t& word : words) word = mix64(random() % alphabet);
  return words;
}

TEST(Fragments, BeginWhereAGramIsCommonToBothTexts) {
  EXPECT_EQ(fragments_of({9, 1, 2, 3, 8}, {7, 7, 1, 2, 3}, options_of(3, 3, 8)),
            (std::vector<Fragment>{{1, 2, 3}}));
  EXPECT_TRUE(fragments_of({1, 2, 9, 3}, {1, 2, 3}, options_of(3, 3, 8)).empty());
  EXPECT_TRUE(fragments_of({}, {1, 2, 3}, options_of(3, 3, 8)).empty());
  EXPECT_TRUE(fragments_of({1, 2}, {1, 2}, options_of(3, 3, 8)).empty());
}

TEST(Fragments, OfGramsWithoutOrderReachOverExchangedWords) {
  const WordList a = {1, 2, 3, 4, 5, 6}, b = {1, 3, 2, 4, 5, 6};
  EXPECT_EQ(fragments_of(a, b, options_of(3, 3, 8, false)), (std::vector<Fragment>{{0, 0, 6}}));
  EXPECT_EQ(fragments_of(a, b, options_of(3, 3, 8, true)), (std::vector<Fragment>{{3, 3, 3}}));
}

TEST(Fragments, BeginAtAllPlacesOfAGramThatIsNotCommon) {
  EXPECT_EQ(fragments_of({1, 2}, {1, 2, 9, 1, 2, 9, 1, 2}, options_of(2, 4, 3)),
            (std::vector<Fragment>{{0, 0, 2}, {0, 3, 2}, {0, 6, 2}}));
  EXPECT_TRUE(fragments_of({1, 2}, {1, 2, 9, 1, 2, 9, 1, 2}, options_of(2, 4, 2)).empty());
}

TEST(Fragments, ReachOverCommonGrams) {
  // 1 2 occurs three times in B, but 2 3 once.
  EXPECT_EQ(fragments_of({1, 2, 3}, {1, 2, 3, 1, 2, 9, 1, 2}, options_of(2, 4, 2)),
            (std::vector<Fragment>{{0, 0, 3}}));
}

TEST(Fragments, OfTextsOfOneWordCoverThemInOneStep) {
  const WordList a(1'000'000, 1), b(1'000'000, 1);
  EXPECT_EQ(fragments_of(a, b, options_of(3, 12, 8)), (std::vector<Fragment>{{0, 0, 1'000'000}}));
}

/// For each diagonal the cells of equal grams, and the equal words on either side of them.
std::vector<Fragment> fragments_slowly(const WordList& a, const WordList& b, const AlignOptions& options) {
  const std::size_t k = options.seed;
  std::set<std::pair<std::size_t, std::size_t>> cells;
  for (std::size_t i = 0; i + k <= a.size(); ++i) {
    for (std::size_t j = 0; j + k <= b.size(); ++j) {
      WordList in_a(a.begin() + static_cast<std::ptrdiff_t>(i),
                    a.begin() + static_cast<std::ptrdiff_t>(i + k));
      WordList in_b(b.begin() + static_cast<std::ptrdiff_t>(j),
                    b.begin() + static_cast<std::ptrdiff_t>(j + k));
      if (!options.ordered) {
        std::ranges::sort(in_a);
        std::ranges::sort(in_b);
      }
      for (std::size_t at = 0; in_a == in_b && at < k; ++at) cells.emplace(i + at, j + at);
    }
  }
  const auto seeds = cells;
  for (auto [i, j] : seeds) {
    for (std::size_t x = i, y = j; x > 0 && y > 0 && a[x - 1] == b[y - 1]; --x, --y)
      cells.emplace(x - 1, y - 1);
    for (std::size_t x = i + 1, y = j + 1; x < a.size() && y < b.size() && a[x] == b[y]; ++x, ++y) {
      cells.emplace(x, y);
    }
  }
  std::vector<Fragment> fragments;
  for (auto [i, j] : cells) {
    if (i > 0 && j > 0 && cells.contains({i - 1, j - 1})) continue;
    std::uint32_t length = 1;
    while (cells.contains({i + length, j + length})) ++length;
    fragments.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), length});
  }
  return fragments;
}

TEST(Fragments, AreThoseOfTheDefinitionOnRandomTexts) {
  std::mt19937 random(21);
  for (int round = 0; round < 2'000; ++round) {
    const auto alphabet = 1 + random() % 8;
    const WordList a = random_list(random() % 30, alphabet, random);
    const WordList b = random_list(random() % 30, alphabet, random);
    const AlignOptions options =
        options_of(1 + static_cast<unsigned>(random() % 4), 6, 1'000, random() % 2 == 0);
    ASSERT_EQ(fragments_of(a, b, options), fragments_slowly(a, b, options)) << round;
  }
}

TEST(Fragments, HoldEachRunOfAThatBHasHoweverCommonItsGramsAre) {
  std::mt19937 random(22);
  std::size_t promised = 0;
  for (int round = 0; round < 1'000; ++round) {
    const auto alphabet = 1 + random() % 4;
    const WordList a = random_list(random() % 60, alphabet, random);
    const WordList b = random_list(random() % 60, alphabet, random);
    const unsigned seed = 1 + static_cast<unsigned>(random() % 4);
    const AlignOptions options = options_of(seed, seed + static_cast<unsigned>(random() % 5),
                                            1 + static_cast<unsigned>(random() % 4), random() % 2 == 0);
    const auto fragments = fragments_of(a, b, options);
    const auto all = fragments_slowly(a, b, options);
    for (const Fragment& one : fragments) {
      ASSERT_TRUE(std::ranges::any_of(all, [&](const Fragment& whole) {
        return whole.a <= one.a && one.a_end() <= whole.a_end() && one.a - one.b == whole.a - whole.b;
      }));
    }
    for (std::uint32_t i = 0; i + options.run <= a.size(); ++i) {
      const auto run = std::span(a).subspan(i, options.run);
      if (std::search(b.begin(), b.end(), run.begin(), run.end()) == b.end()) continue;
      ++promised;
      ASSERT_TRUE(std::ranges::any_of(fragments, [&](const Fragment& one) {
        return one.a <= i && i + options.run <= one.a_end();
      })) << round;
    }
  }
  EXPECT_GT(promised, 3'000U);
}

}  // namespace
}  // namespace akin
