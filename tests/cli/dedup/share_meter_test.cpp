#include "cli/dedup/share_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cli/dedup/word_outline.h"
#include "index/codec/packed_words.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using dedup::Candidate;
using dedup::Measure;
using dedup::ShareMeter;
using dedup::TextNumber;
using Words = std::vector<std::string>;

/// Texts that have a notice in common; some are edited copies of earlier ones.
class ShareMeterTest : public CatalogTest {
 protected:
  static constexpr TextNumber kTexts = 60;

  void SetUp() override {
    CatalogTest::SetUp();
    collection_ = must(catalog_->create("c", "sentence-pairs"));
    const Words notice = words(25, 5'000);
    std::vector<Words> texts;
    for (TextNumber text = 0; text < kTexts; ++text) {
      Words own = words(20 + random_() % 100, 300);
      if (text % 3 == 2) {
        own = texts[random_() % texts.size()];
        for (std::string& word : own)
          if (random_() % 8 == 0) word = words(1, 300).front();
      }
      texts.push_back(own);
      own.insert(own.begin(), notice.begin(), notice.end());
      put(*collection_, dedup::index_id(text), sentences(own));
      for (TextNumber preferred = 0; preferred < text; ++preferred) all_.push_back({preferred, text, 0.0});
    }
  }

  /// Words of so many different ones, of which the first are the most frequent.
  Words words(std::size_t count, std::uint32_t different) {
    Words words;
    for (std::size_t i = 0; i < count; ++i)
      words.push_back("w" + std::to_string(random_() % (1 + random_() % different)));
    return words;
  }
  static std::string sentences(const Words& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) text += words[i] + (i % 9 == 8 ? ". " : " ");
    return text;
  }
  static bool has(const std::vector<Candidate>& some, const Candidate& wanted) {
    return std::ranges::any_of(some, [&](const Candidate& one) {
      return one.preferred == wanted.preferred && one.other == wanted.other && one.share == wanted.share;
    });
  }

  std::mt19937 random_{11};
  std::shared_ptr<Collection> collection_;
  std::vector<Candidate> all_;
};

TEST_F(ShareMeterTest, DropsNoCandidateThatReachesTheLeastShare) {
  for (const Measure measure : {Measure::containment, Measure::resemblance}) {
    for (const double least : {0.4, 0.6, 0.8}) {
      for (const std::uint64_t memory : {1U << 20U, 1U << 14U, 0U}) {
        ShareMeter meter(*collection_, kTexts, measure, least, memory);
        const std::vector<double> shares = must(meter.measure(all_));
        std::vector<Candidate> some = all_;
        must(meter.drop_impossible(some));
        std::size_t reaching = 0;
        for (std::size_t i = 0; i < all_.size(); ++i) {
          if (shares[i] < least) continue;
          ++reaching;
          EXPECT_TRUE(has(some, all_[i])) << least << ' ' << shares[i];
        }
        EXPECT_GE(reaching, 10U);
      }
    }
  }
}

TEST_F(ShareMeterTest, DropsMostOfThoseThatShareTheNoticeAlone) {
  ShareMeter meter(*collection_, kTexts, Measure::containment, 0.8, 1U << 20U);
  std::vector<Candidate> some = all_;
  must(meter.drop_impossible(some));
  EXPECT_LE(some.size(), all_.size() / 10);
}

TEST_F(ShareMeterTest, KeepsWhatThereIsNoMemoryFor) {
  ShareMeter meter(*collection_, kTexts, Measure::containment, 0.8, 0);
  std::vector<Candidate> some = all_;
  must(meter.drop_impossible(some));
  EXPECT_EQ(some.size(), all_.size());
}

TEST(WordOutlineTest, BoundsTheWordsThatAnotherTextHas) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> classes(40'000);
  for (std::uint64_t& one : classes) one = random();
  std::size_t lacking = 0, counted = 0;
  for (const std::size_t size : {0U, 1U, 50U, 400U, 20'000U}) {
    for (const std::size_t other_size : {0U, 1U, 50U, 400U, 20'000U}) {
      const auto draw = [&](std::size_t words) {
        WordSequence drawn;
        const std::size_t different = std::max<std::size_t>(4 * words, 1);
        for (std::size_t i = 0; i < words; ++i) drawn.classes.push_back(classes[random() % different / 2]);
        drawn.ranges.resize(words);
        drawn.bytes.resize(words);
        return drawn;
      };
      const WordSequence one = draw(size), other = draw(other_size);
      const auto exact =
          static_cast<std::size_t>(std::ranges::count_if(one.classes, [&](std::uint64_t of_word) {
            return std::ranges::count(other.classes, of_word) > 0;
          }));
      const dedup::WordOutline outline(PackedWords(one).numbered());
      EXPECT_EQ(outline.words(), size);
      EXPECT_EQ(outline.at_most_in(outline), size);
      const std::size_t most = outline.at_most_in(dedup::WordOutline(PackedWords(other).numbered()));
      EXPECT_GE(most, exact);
      if (other_size > 400) continue;
      lacking += size - exact;
      counted += most - exact;
    }
  }
  EXPECT_LT(counted, lacking / 5);
}

}  // namespace
}  // namespace akin::test
