// Runs of a text's words in others, by their codes, beside a comparison of all runs.
#include "index/search/coded_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "index/codec/word_codes.h"

namespace akin {
namespace {

using Words = std::vector<std::uint64_t>;

Words random_words(std::mt19937& random, std::size_t count, unsigned different) {
  Words words(count);
  for (std::uint64_t& word : words) word = random() % different;
  return words;
}

std::string codes_of(const Words& words) {
  std::string codes;
  for (const std::uint64_t word : words) codes += static_cast<char>(code_of(word));
  return codes;
}

/// For each word of `a`, whether it is in a run of `run` words that `b` has.
std::vector<bool> words_in_runs(const std::string& a, const std::string& b, std::size_t run) {
  std::vector<bool> in_run(a.size());
  for (std::size_t word = 0; word + run <= a.size(); ++word) {
    if (b.find(a.substr(word, run)) == std::string::npos) continue;
    for (std::size_t i = 0; i < run; ++i) in_run[word + i] = true;
  }
  return in_run;
}

TEST(CodedRuns, AreThoseOfAComparisonOfAllRuns) {
  std::mt19937 random(11);
  std::size_t with_runs = 0;
  for (int round = 0; round < 3'000; ++round) {
    const auto different = static_cast<unsigned>(3 + random() % 9);
    const Words query = random_words(random, 4 + random() % 12, different);
    const Words text = random_words(random, random() % 200, different);
    const auto run = static_cast<unsigned>(4 + random() % 5);
    const std::vector<WordRange> runs = CodedRuns(query, run).find(codes_of(text));
    const std::vector<bool> expected = words_in_runs(codes_of(query), codes_of(text), run);
    std::vector<bool> found(query.size());
    for (const WordRange& one : runs) {
      EXPECT_GE(one.size(), run);
      for (std::uint32_t word = one.begin; word < one.end; ++word) found[word] = true;
    }
    EXPECT_EQ(found, expected) << round;
    EXPECT_TRUE(std::ranges::is_sorted(runs, {}, &WordRange::end));
    with_runs += runs.empty() ? 0 : 1;
  }
  EXPECT_GT(with_runs, 300U);
  EXPECT_LT(with_runs, 2'500U);
}

TEST(CodedRuns, BeginAndEndWithATextToo) {
  const Words words{1, 2, 3, 4};
  const CodedRuns query(words, 4);
  for (const Words& text : {Words{1, 2, 3, 4}, Words{1, 2, 3, 4, 9}, Words{9, 1, 2, 3, 4}}) {
    EXPECT_EQ(query.find(codes_of(text)), (std::vector<WordRange>{{0, 4}})) << text.size();
  }
  for (const Words& text : {Words{}, Words{1}, Words{1, 2, 3}, Words{2, 3, 4, 1}}) {
    EXPECT_TRUE(query.find(codes_of(text)).empty()) << text.size();
  }
}

TEST(CodedRuns, OfOneWordManyTimesAreFoundInATextOfIt) {
  const std::vector<WordRange> runs = CodedRuns(Words(500, 7), 4).find(codes_of(Words(1'000'000, 7)));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_GE(runs.front().size(), 4U);
}

}  // namespace
}  // namespace akin
