#include "cli/dedup/common_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "cli/dedup/selection.h"
#include "cli/dedup/share_meter.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using dedup::Candidate;
using dedup::CommonTexts;
using dedup::Condition;
using dedup::Fate;
using dedup::Measure;
using dedup::Selection;
using dedup::ShareMeter;
using dedup::TextNumber;
using dedup::TextSize;
using Words = std::vector<std::string>;

/// Pages of two templates, more of them than are compared two by two at once; some are edited copies.
class CommonTextsTest : public CatalogTest {
 protected:
  static constexpr TextNumber kPages = 600;
  static constexpr std::uint32_t kTemplates = 2;

  void SetUp() override {
    CatalogTest::SetUp();
    collection_ = must(catalog_->create("c", "sentence-pairs"));
    std::vector<Words> pages;
    for (TextNumber page = 0; page < kPages; ++page) {
      if (page < kTemplates) templates_.push_back(words(24));
      Words words = templates_[page % kTemplates];
      const Words own = this->words(random_() % 24);
      words.insert(words.end(), own.begin(), own.end());
      if (page >= kTemplates && page % 3 == 0) {
        words = pages[page - kTemplates * (1 + random_() % (page / kTemplates))];
        for (std::string& word : words)
          if (random_() % 10 == 0) word = this->words(1).front();
      }
      pages.push_back(words);
      std::string text;
      for (std::size_t i = 0; i < words.size(); ++i) text += words[i] + (i % 9 == 8 ? ". " : " ");
      put(*collection_, dedup::index_id(page), text);
      corpus_.add({.id = std::to_string(page), .text = text + std::to_string(page), .preference = 0.0});
    }
  }

  Words words(std::size_t count) {
    Words words;
    for (std::size_t i = 0; i < count; ++i)
      words.push_back("w" + std::to_string(random_() % (1 + random_() % 400)));
    return words;
  }

  /// Shares of all pairs of one template.
  using Shares = std::map<std::pair<TextNumber, TextNumber>, double>;
  Shares measure_all(ShareMeter& meter) {
    std::vector<Candidate> all;
    for (TextNumber other = 0; other < kPages; ++other)
      for (TextNumber preferred = other % kTemplates; preferred < other; preferred += kTemplates)
        all.push_back({preferred, other, 0.0});
    const std::vector<double> shares = must(meter.measure(all));
    Shares found;
    for (std::size_t i = 0; i < all.size(); ++i) found[{all[i].preferred, all[i].other}] = shares[i];
    return found;
  }

  /// For each text itself, or the kept one that covers it, and the share.
  using Verdicts = std::vector<std::tuple<TextNumber, double>>;
  static Verdicts slowly_selected(const Shares& shares, double least) {
    Verdicts verdicts;
    for (TextNumber other = 0; other < kPages; ++other) {
      std::tuple<TextNumber, double> best{other, 0.0};
      for (TextNumber preferred = other % kTemplates; preferred < other; preferred += kTemplates) {
        const double share = shares.at({preferred, other});
        if (std::get<0>(verdicts[preferred]) == preferred && share >= least && share > std::get<1>(best))
          best = {preferred, share};
      }
      verdicts.push_back(best);
    }
    return verdicts;
  }

  /// Selects without other candidates than those that `common` finds.
  [[nodiscard]] Selection select(const dedup::Corpus& corpus, double least, ShareMeter& meter,
                                 CommonTexts& common) const {
    const std::filesystem::path file = folder_.path() / "candidates";
    std::ofstream(file, std::ios::binary).close();
    Selection selection(corpus, least, &common);
    must(selection.run(
        {file}, 1U << 20U, [&](std::span<const Candidate> some) { return meter.measure(some); },
        [](const dedup::SelectionProgress&) -> Result<void> { return {}; }));
    return selection;
  }

  Verdicts selected(const Condition& condition, ShareMeter& meter, std::uint64_t memory) {
    CommonTexts common(
        condition, 0.1, [&](std::span<const TextNumber> texts) { return meter.outlines(texts); }, memory);
    for (std::uint32_t of = 0; of < kTemplates; ++of) {
      std::vector<TextSize> pages;
      for (TextNumber page = of; page < kPages; page += kTemplates) pages.push_back({page, 5});
      common.add_feature(0, pages);
    }
    const Selection selection = select(corpus_, condition.least, meter, common);
    compared_ = selection.measured();
    Verdicts verdicts;
    for (TextNumber text = 0; text < kPages; ++text) {
      const bool is_kept = selection.fate(text) == Fate::kept;
      verdicts.emplace_back(is_kept ? text : selection.cover(text).by,
                            is_kept ? 0.0 : selection.cover(text).share);
    }
    return verdicts;
  }

  std::mt19937 random_{5};
  std::vector<Words> templates_;
  dedup::Corpus corpus_;
  std::shared_ptr<Collection> collection_;
  std::uint64_t compared_ = 0;
};

TEST_F(CommonTextsTest, SelectsAsIfAllPairsWereCompared) {
  for (const Condition condition :
       {Condition{Measure::containment, 0.8}, Condition{Measure::containment, 0.95},
        Condition{Measure::resemblance, 0.7}}) {
    ShareMeter meter(*collection_, condition, 1U << 24U);
    const Verdicts expected = slowly_selected(measure_all(meter), condition.least);
    const auto dropped =
        std::ranges::count_if(expected, [](const auto& one) { return std::get<1>(one) > 0.0; });
    EXPECT_GT(dropped, kPages / 20);
    EXPECT_LT(dropped, kPages);
    for (const std::uint64_t memory : {1U << 24U, 1U}) {
      EXPECT_EQ(selected(condition, meter, memory), expected) << condition.least << ' ' << memory;
      EXPECT_LT(compared_, kPages * kPages / kTemplates / 4);
    }
  }
}

TEST_F(CommonTextsTest, PagesThatAreNearlyEqualAreComparedWithTheirFirstOne) {
  constexpr TextNumber kCopies = 500;
  const auto collection = must(catalog_->create("copies", "sentence-pairs"));
  const Words page = words(100);
  dedup::Corpus corpus;
  std::vector<TextSize> all;
  for (TextNumber copy = 0; copy < kCopies; ++copy) {
    std::string text;
    for (std::size_t at = 0; at < page.size(); ++at)
      text += (at == copy % 100 ? "x" + std::to_string(copy) : page[at]) + ' ';
    put(*collection, dedup::index_id(copy), text);
    corpus.add({.id = {}, .text = text, .preference = 0.0});
    all.push_back({copy, 5});
  }
  const Condition condition;
  ShareMeter meter(*collection, condition, 1U << 24U);
  CommonTexts common(
      condition, 0.1, [&](std::span<const TextNumber> texts) { return meter.outlines(texts); }, 1U << 24U);
  common.add_feature(0, all);
  const Selection selection = select(corpus, condition.least, meter, common);
  EXPECT_EQ(selection.measured(), kCopies - 1);
  for (TextNumber copy = 1; copy < kCopies; ++copy) EXPECT_EQ(selection.cover(copy).by, 0U);
}

}  // namespace
}  // namespace akin::test
