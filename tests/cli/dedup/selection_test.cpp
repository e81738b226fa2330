#include "cli/dedup/selection.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <tuple>

namespace akin::dedup {
namespace {

constexpr double kLeast = 0.8;

/// A corpus of different texts, and candidates in a file.
class SelectionTest : public testing::Test {
 protected:
  SelectionTest()
      : file_(std::filesystem::temp_directory_path() / ("akin-selection-" + std::to_string(::getpid()))) {}
  ~SelectionTest() override { std::filesystem::remove(file_); }

  void add_texts(int count) {
    for (int i = 0; i < count; ++i)
      corpus_.add({.id = std::to_string(i), .text = std::to_string(i), .preference = 0.0});
  }
  /// `share`: by which one covers the other, measured on request.
  void add(TextNumber preferred, TextNumber other, double share) {
    candidates_.push_back({preferred, other, 0.0});
    shares_[{preferred, other}] = share;
  }
  void add_known(TextNumber preferred, TextNumber other, double share) {
    candidates_.push_back({preferred, other, share});
  }

  Selection select(std::uint64_t memory = 1U << 20U) {
    std::ofstream out(file_, std::ios::binary);
    for (const Candidate& candidate : candidates_) out << bytes_of(candidate);
    out.close();
    Selection selection(corpus_, kLeast);
    const auto measure = [&](std::span<const Candidate> some) -> Result<std::vector<double>> {
      std::vector<double> shares;
      for (const Candidate& one : some) shares.push_back(shares_.at({one.preferred, one.other}));
      return shares;
    };
    const auto done =
        selection.run({file_}, memory, measure, [](const SelectionProgress&) -> Result<void> { return {}; });
    EXPECT_TRUE(done.has_value());
    return selection;
  }
  std::string fates(const Selection& selection) {
    std::string fates;
    for (TextNumber text = 0; text < corpus_.texts(); ++text)
      fates += selection.fate(text) == Fate::kept ? 'k' : selection.fate(text) == Fate::dropped ? 'd' : 'o';
    return fates;
  }

  Corpus corpus_;
  std::vector<Candidate> candidates_;
  std::map<std::pair<TextNumber, TextNumber>, double> shares_;

 private:
  std::filesystem::path file_;
};

TEST_F(SelectionTest, ATextWithoutCandidatesIsKept) {
  add_texts(3);
  EXPECT_EQ(fates(select()), "kkk");
}

TEST_F(SelectionTest, ADroppedTextDropsNoOther) {
  add_texts(3);
  add(0, 1, 0.9);
  add(1, 2, 0.9);
  add(0, 2, 0.7);
  EXPECT_EQ(fates(select()), "kdk");
}

TEST_F(SelectionTest, AShareBelowTheLeastCoversNothing) {
  add_texts(2);
  add(0, 1, kLeast - 1e-9);
  EXPECT_EQ(fates(select()), "kk");
}

TEST_F(SelectionTest, TheCoverWithTheLargestShareIsNamed) {
  add_texts(4);
  add(0, 3, 0.85);
  add(1, 3, 0.95);
  add(2, 3, 0.95);
  const Selection selection = select();
  EXPECT_EQ(selection.cover(3).by, 1U);
  EXPECT_EQ(selection.cover(3).share, 0.95);
  EXPECT_TRUE(selection.cover(3).aligned);
}

TEST_F(SelectionTest, AKnownShareSparesMeasuring) {
  add_texts(3);
  add_known(0, 2, 0.8);
  add(1, 2, 0.99);
  const Selection selection = select();
  EXPECT_EQ(selection.cover(2).by, 0U);
  EXPECT_FALSE(selection.cover(2).aligned);
  EXPECT_EQ(selection.measured(), 0U);
}

TEST_F(SelectionTest, ThePreferredTextIsKept) {
  corpus_.add({.id = "a", .text = "a", .preference = 1.0});
  corpus_.add({.id = "b", .text = "b", .preference = 2.0});
  add(1, 0, 1.0);
  EXPECT_EQ(fates(select()), "dk");
}

TEST_F(SelectionTest, KnownTextsAreKept) {
  add_texts(1);
  corpus_.all_are_known();
  corpus_.add({.id = "b", .text = "b", .preference = 9.0});
  add(0, 1, 1.0);
  EXPECT_EQ(fates(select()), "kd");
}

/// Texts in the order of preference, each compared with all kept before it.
std::string slowly_selected(TextNumber texts, const std::vector<Candidate>& candidates,
                            const std::map<std::pair<TextNumber, TextNumber>, double>& shares) {
  std::string fates(texts, 'k');
  for (TextNumber text = 0; text < texts; ++text) {
    for (const Candidate& one : candidates) {
      const double share = one.share > 0.0 ? one.share : shares.at({one.preferred, one.other});
      if (one.other == text && fates[one.preferred] == 'k' && share >= kLeast) fates[text] = 'd';
    }
  }
  return fates;
}

TEST_F(SelectionTest, RoundsAndWindowsDecideAsOnePassWould) {
  constexpr TextNumber kTexts = 300;
  add_texts(kTexts);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (TextNumber other = 1; other < kTexts; ++other) {
    for (TextNumber preferred = 0; preferred < other; ++preferred) {
      if (share(random) < 0.7) continue;
      share(random) < 0.1 ? add_known(preferred, other, kLeast + 0.2 * share(random))
                          : add(preferred, other, share(random));
    }
  }
  std::ranges::shuffle(candidates_, random);
  const std::string expected = slowly_selected(kTexts, candidates_, shares_);
  std::vector<std::tuple<TextNumber, double>> covers;
  for (const std::uint64_t memory : {1ULL << 30U, 1ULL << 12U, 1ULL}) {
    const Selection selection = select(memory);
    EXPECT_EQ(fates(selection), expected);
    std::vector<std::tuple<TextNumber, double>> now;
    for (TextNumber text = 0; text < kTexts; ++text)
      if (selection.fate(text) == Fate::dropped)
        now.emplace_back(selection.cover(text).by, selection.cover(text).share);
    if (covers.empty()) covers = now;
    EXPECT_EQ(now, covers);
  }
}

}  // namespace
}  // namespace akin::dedup
