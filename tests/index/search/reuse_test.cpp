// The search for reuse: which documents that share words with a text are similar to it, among very many.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "index/search/tier_search.h"
#include "index/search/works.h"
#include "morph/schemes/tiers.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// `count` words out of a vocabulary of `kinds`, with a full stop behind every tenth.
std::string prose(unsigned seed, std::size_t count, unsigned kinds = 5'000) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 1; i <= count; ++i)
    text += "w" + std::to_string(random() % kinds) + (i % 10 == 0 ? ". " : " ");
  return text;
}

/// Words of one text alone.
std::string own(unsigned seed, std::size_t count) { return prose(seed, count, 4'000'000'000U); }

class Reuse : public CatalogTest {
 protected:
  struct Asked {
    std::optional<std::uint64_t> common_above = kCommonDocuments;
    bool by_passages_alone = false;
  };

  [[nodiscard]] SearchResult search(const std::string& text, Asked asked) const {
    WordReader words;
    const FeatureSequence all = must(collection_->analyze_tiers(text, &words));
    TieredRequest request;
    request.tiers = reuse_tiers(collection_->scheme(), true);
    for (TierQuery& tier : request.tiers) tier.query = part_in_tier(all, all.tier_sizes, tier.tier);
    const TierQuery& seeds = request.tiers.back();
    const auto aligner =
        must(TextAligner::of(text, words.take(), plain_, {},
                             {seeds.query.ranges, seeds.query.hashes,
                              collection_->scheme().tiers()[seeds.tier].scheme->seed_shape()}));
    request.aligner = aligner.get();
    request.page.limit = 3;
    if (asked.by_passages_alone) request.tiers.erase(request.tiers.begin());
    request.common_above = asked.common_above;
    return must(search_tiers(*must(collection_->snapshot()), collection_->scheme(), request));
  }

  static std::vector<std::string> ids_of(const SearchResult& result) {
    std::vector<std::string> ids;
    for (const Hit& hit : result.hits) ids.push_back(hit.document.id);
    return ids;
  }

  std::shared_ptr<Collection> collection_ = must(catalog_->create("c", std::string(kDefaultScheme)));
};

/// 10,050 documents have the licence, and one has a run of 14 words of the query.
class AmongVeryMany : public Reuse {
 protected:
  AmongVeryMany() {
    std::vector<std::string> texts, ids;
    for (unsigned i = 0; i < kMany; ++i) {
      texts.push_back(own(i + 10, 12) + licence_);
      ids.push_back("d" + std::to_string(i));
    }
    texts.push_back(own(1, 30) + run_ + own(2, 30));
    ids.emplace_back("source");
    std::vector<SourceDocument> documents;
    for (std::size_t i = 0; i < ids.size(); ++i) documents.push_back({ids[i], "", "", texts[i]});
    must(collection_->put_all(documents));
  }

  static constexpr unsigned kMany = 10'050;
  const std::string licence_ = own(3, 60);
  const std::string run_ = own(4, 14);
  const std::string query_ = own(5, 40) + run_ + own(6, 20) + licence_;
};

TEST_F(AmongVeryMany, ARareRunIsFoundAndComesFirst) {
  const SearchResult all = search(query_, {.common_above = std::nullopt, .by_passages_alone = true});
  EXPECT_EQ(all.alignable, kMany + 1);
  EXPECT_EQ(all.aligned, all.alignable);
  EXPECT_EQ(all.total, kMany + 1);
  EXPECT_EQ(ids_of(all).front(), "source");
  EXPECT_FALSE(all.common);

  const SearchResult found = search(query_, {});
  EXPECT_THAT(ids_of(found), ElementsAre("source"));
  EXPECT_EQ(found.total, 1U);
  EXPECT_TRUE(found.counted);
  EXPECT_EQ(found.aligned, 1U);
  ASSERT_TRUE(found.common);
  EXPECT_EQ(found.common->documents, kMany);
  EXPECT_EQ(found.common->limit, kCommonDocuments);
  EXPECT_GE(found.common->words, 50U);
  EXPECT_LE(found.common->words, 60U);
  EXPECT_FALSE(found.common->listed);
}

TEST_F(AmongVeryMany, TextThatIsCommonThroughoutIsFoundInTheBestOfThem) {
  must(collection_->remove({"d7"}));
  const SearchResult found = search(licence_, {});
  EXPECT_EQ(found.hits.size(), 3U);
  EXPECT_FALSE(found.counted);
  EXPECT_EQ(found.aligned, 3U);
  ASSERT_TRUE(found.common);
  EXPECT_TRUE(found.common->listed);
  EXPECT_EQ(found.common->documents, kMany - 1);
  for (const Hit& hit : found.hits) EXPECT_TRUE(hit.tiers[1].found);
}

/// Fifteen notices, each in 400 documents, and one document with a run of 14 words.
class AmongManyNotices : public Reuse {
 protected:
  AmongManyNotices() {
    std::vector<std::string> texts, ids;
    for (unsigned i = 0; i < kNotices * kEach; ++i) {
      texts.push_back(own(i + 100, 12) + notice(i % kNotices));
      ids.push_back("d" + std::to_string(i));
    }
    texts.push_back(own(1, 30) + run_ + own(2, 30));
    ids.emplace_back("source");
    std::vector<SourceDocument> documents;
    for (std::size_t i = 0; i < ids.size(); ++i) documents.push_back({ids[i], "", "", texts[i]});
    must(collection_->put_all(documents));
  }
  static std::string notice(unsigned number) { return own(10 + number, 60); }

  static constexpr unsigned kNotices = 15, kEach = 400;
  const std::string run_ = own(4, 14);
};

TEST_F(AmongManyNotices, WhatFewerDocumentsHaveIsCommonToAQuestionWithAllOfThem) {
  std::string text = own(5, 40) + run_ + own(6, 20);
  for (unsigned i = 0; i < kNotices; ++i) text += notice(i) + own(60 + i, 20);
  const SearchResult found = search(text, {.by_passages_alone = true});
  EXPECT_EQ(found.hits.front().document.id, "source");
  // Which seeds a notice's beginning has depends on the words before it: some are in fewer documents.
  EXPECT_LT(found.aligned, kEach);
  EXPECT_TRUE(found.counted);
  ASSERT_TRUE(found.common);
  EXPECT_EQ(found.common->documents, kNotices * kEach);
  EXPECT_EQ(found.common->limit, kCommonDocuments / 4);
}

TEST_F(AmongManyNotices, DocumentsWithOneOfThemAreFound) {
  const SearchResult found = search(own(5, 40) + run_ + own(6, 20) + notice(0), {});
  EXPECT_EQ(found.total, kEach + 1);
  EXPECT_EQ(found.aligned, found.alignable);
  EXPECT_FALSE(found.common);
}

TEST_F(Reuse, OfWhatManyDocumentsHaveTheRestCounts) {
  const std::string licence = own(3, 100), run = own(4, 30);
  for (unsigned i = 0; i < 20; ++i) put(*collection_, "d" + std::to_string(i), own(i + 10, 20) + licence);
  put(*collection_, "source", own(1, 30) + run);
  std::string text = own(5, 20) + licence + own(6, 20) + run;
  // Only alignment finds any of them.
  std::ranges::replace(text, '.', ' ');
  EXPECT_EQ(ids_of(search(text, {})).front(), "source");
}

/// Texts of 200 words with one notice of 30.
class Notice : public Reuse {
 protected:
  void put_with_notice(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      put(*collection_, "notice" + std::to_string(i), own(100 + i, 200) + notice_);
  }
  /// Reprints of one article, each with a beginning of its own.
  void put_reprints(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      put(*collection_, "reprint" + std::to_string(i), own(200 + i, 40) + article_ + notice_);
  }

  const std::string notice_ = own(3, 30), article_ = own(4, 200);
};

TEST_F(Notice, IsSharedTextInFourWorks) {
  put_with_notice(4);
  const SearchResult found = search(own(5, 200) + notice_, {});
  EXPECT_EQ(found.total, 4U);
  EXPECT_FALSE(found.common);
}

TEST_F(Notice, IsCommonTextInFive) {
  put_with_notice(5);
  const SearchResult found = search(own(5, 200) + notice_, {});
  EXPECT_THAT(ids_of(found), IsEmpty());
  ASSERT_TRUE(found.common);
  EXPECT_EQ(found.common->limit, kFewWorks);
  EXPECT_EQ(found.common->documents, 5U);
  EXPECT_EQ(found.common->words, 30U);
}

TEST_F(Notice, ReprintsAreFoundByWhatElseTheyShare) {
  put_with_notice(10);
  put_reprints(20);
  const SearchResult found = search(own(5, 40) + article_ + notice_, {.by_passages_alone = true});
  EXPECT_EQ(found.total, 20U);
  ASSERT_TRUE(found.common);
  EXPECT_EQ(found.common->documents, 10U);
}

TEST_F(Notice, AQuotationOfAnArticleIsFoundInAllItsReprints) {
  put_reprints(20);
  const std::string quotation = article_.substr(0, article_.find('.', 300) + 1);
  EXPECT_EQ(search(own(5, 400) + quotation, {}).total, 20U);
}

TEST_F(Notice, APageThatManyCopiedIsImprobable) {
  const std::string page = own(6, 140);
  for (unsigned i = 0; i < 18; ++i) put(*collection_, "copy" + std::to_string(i), own(300 + i, 900) + page);
  EXPECT_EQ(search(own(5, 900) + page, {.by_passages_alone = true}).total, 18U);
}

TEST_F(Reuse, LongPassagesCountHoweverLongBothWorksAre) {
  for (unsigned i = 0; i < 4; ++i) put(*collection_, "work" + std::to_string(i), prose(i, 40'000));
  const std::string passage = prose(2, 40'000).substr(90'000, 600);
  put(*collection_, "host", prose(10, 20'000) + passage + prose(11, 20'000));
  EXPECT_THAT(ids_of(search(prose(20, 20'000) + passage + prose(21, 20'000), {})),
              testing::UnorderedElementsAre("work2", "host"));
  EXPECT_THAT(ids_of(search(prose(30, 40'000), {})), IsEmpty());
}

/// A run of fourteen words in the middle of long texts.
class ShortRunInLongTexts : public Reuse {
 protected:
  void put_work(const std::string& id, unsigned seed, const std::string& run = "") {
    put(*collection_, id, prose(seed, 20'000) + run + prose(seed + 100, 20'000));
  }
  [[nodiscard]] std::vector<std::string> found() const {
    return ids_of(search(prose(50, 20'000) + run_ + prose(51, 20'000), {}));
  }

  const std::string run_ = own(4, 14);
};

TEST_F(ShortRunInLongTexts, IsFoundInTheTwoWorksThatHaveIt) {
  put_work("first", 1, run_);
  put_work("second", 2, run_);
  put_work("other", 3);
  EXPECT_THAT(found(), testing::UnorderedElementsAre("first", "second"));
}

TEST_F(ShortRunInLongTexts, IsCommonInThreeWorks) {
  for (unsigned i = 1; i <= 3; ++i) put_work("work" + std::to_string(i), i, run_);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(ShortRunInLongTexts, IsFoundInAllEditionsOfOneWork) {
  for (unsigned i = 1; i <= 3; ++i) put_work("edition" + std::to_string(i), 1, run_ + own(10 + i, 300));
  EXPECT_THAT(found(), testing::UnorderedElementsAre("edition1", "edition2", "edition3"));
}

TEST_F(ShortRunInLongTexts, IsFoundThoughEditionsOfTheQueryAreStored) {
  for (unsigned i = 1; i <= 3; ++i) put_work("edition" + std::to_string(i), 50, run_ + own(10 + i, 300));
  put_work("source", 1, run_);
  const SearchResult all = search(prose(50, 20'000) + run_ + prose(150, 20'000), {});
  EXPECT_EQ(all.total, 4U);
}

/// `count` numbers from `first` on, each a paragraph of its own, so that two in a row are a pair of
/// sentences.
std::string column(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += std::to_string(first + i) + "\n\n";
  return text;
}

TEST_F(Reuse, TextsThatShareARowOfYearsAreNotSimilar) {
  put(*collection_, "column", column(1990, 20) + own(1, 40));
  std::string row = column(1990, 20);
  std::ranges::replace(row, '\n', ' ');
  put(*collection_, "row", row + own(2, 40));
  EXPECT_THAT(ids_of(search(column(1990, 20) + own(3, 40), {})), IsEmpty());
}

TEST_F(Reuse, ACopiedTableOfMeasurementsIsFound) {
  std::string table;
  std::mt19937 random(7);
  for (int i = 0; i < 30; ++i) table += std::to_string(random() % 100'000) + (i % 5 == 4 ? "\n" : "\t");
  put(*collection_, "source", own(1, 40) + table + own(2, 40));
  EXPECT_THAT(ids_of(search(own(3, 40) + table + own(4, 40), {})), ElementsAre("source"));
}

TEST_F(Reuse, ATextOfNumbersInOrderFindsItself) {
  put(*collection_, "source", column(1, 40));
  EXPECT_THAT(ids_of(search(column(1, 40), {})), ElementsAre("source"));
}

TEST_F(Reuse, WorksThatMeetByANoticeAreNotSimilar) {
  const std::string notice = own(3, 30), phrase = prose(4, 14);
  for (unsigned i = 0; i < 9; ++i)
    put(*collection_, "work" + std::to_string(i), notice + prose(i, 20'000) + phrase);
  EXPECT_THAT(ids_of(search(prose(20, 20'000) + phrase + notice, {})), IsEmpty());
}

}  // namespace
}  // namespace akin::test
