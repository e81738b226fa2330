#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "index/collection/collection.h"
#include "index/lmdb/catalog.h"
#include "index/pairs/pairs.h"
#include "lab/evaluate/threshold.h"
#include "tests/support/temporary_folder.h"

namespace akin::evaluate {
namespace {

using test::must;
using testing::ElementsAre;
using testing::HasSubstr;

/// Without dictionaries a word is its own class.
const Dictionary& no_words() {
  static const auto dictionary = must(Dictionary::open({}));
  return *dictionary;
}

std::string sentences(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i)
    text += "Sentence number" + std::string(static_cast<std::size_t>(i), 'x') + " ends. ";
  return text;
}

ThresholdRequest request() {
  return {.schemes = {must(make_scheme("sentences"))},
          .measures = {"resemblance", "containment"},
          .thresholds = {0.3, 0.5, 1.0}};
}

std::vector<std::vector<std::uint64_t>> cells(const ThresholdMethod& method) {
  std::vector<std::vector<std::uint64_t>> rows;
  for (const ThresholdCell& cell : method.cells)
    rows.push_back({cell.found, cell.wrong, cell.missed, cell.unjudged});
  return rows;
}

// Ten sentences each. A and B share all, A and C five (resemblance 5/15), C and D all of C (D has 20).
LabelledSet small_set() {
  return {.texts = {sentences(0, 10), sentences(0, 10), sentences(5, 15), sentences(5, 25)},
          .names = {},
          .pairs = {{0, 1, Judgement::duplicate}, {0, 2, Judgement::different}, {2, 3, Judgement::duplicate}},
          .unlisted = Unlisted::different};
}

TEST(ThresholdTest, CountsByHand) {
  const ThresholdReport report = must(threshold_report(small_set(), no_words(), request()));
  EXPECT_EQ(report.texts, 4U);
  EXPECT_EQ(report.duplicates, 2U);
  EXPECT_EQ(report.different, 4U);
  ASSERT_EQ(report.methods.size(), 2U);
  EXPECT_EQ(report.methods[0].features, 50U);
  // Resemblances: AB 1, CD 1/2, AC and BC 1/3, AD and BD 5/25.
  EXPECT_THAT(cells(report.methods[0]),
              ElementsAre(ElementsAre(4, 2, 0, 0), ElementsAre(2, 0, 0, 0), ElementsAre(1, 0, 1, 0)));
  // The larger containment: AB and CD 1, the other four 1/2.
  EXPECT_THAT(cells(report.methods[1]),
              ElementsAre(ElementsAre(6, 4, 0, 0), ElementsAre(6, 4, 0, 0), ElementsAre(2, 0, 0, 0)));
  EXPECT_DOUBLE_EQ(report.methods[0].cells[0].first_kind(), 0.5);
  EXPECT_DOUBLE_EQ(report.methods[0].cells[2].second_kind(), 0.5);
  EXPECT_THAT(report.methods[1].measures, ElementsAre(1.0, 1.0, 0.5, 0.5, 0.5, 0.5));
}

TEST(ThresholdTest, PairsThatNobodyHasJudgedStandApart) {
  LabelledSet set = small_set();
  set.unlisted = Unlisted::unknown;
  const ThresholdReport report = must(threshold_report(set, no_words(), request()));
  EXPECT_EQ(report.different, 1U);
  EXPECT_THAT(cells(report.methods[0])[0], ElementsAre(3, 1, 0, 1));
  EXPECT_EQ(report.methods[0].measures.size(), 3U);
}

TEST(ThresholdTest, TellsUnknownMeasuresAndBrokenTexts) {
  ThresholdRequest wrong = request();
  wrong.measures = {"cosine"};
  EXPECT_THAT(threshold_report(small_set(), no_words(), wrong).error().message(), HasSubstr("'cosine'"));
  LabelledSet set = small_set();
  set.texts[2] = "\xFF";
  EXPECT_EQ(threshold_report(set, no_words(), request()).error().code, Errc::invalid_utf8);
}

TEST(ThresholdTest, GivesNoContainmentOfASchemeThatTellsNone) {
  ThresholdRequest sampled = request();
  sampled.schemes = {must(make_scheme("shingles(w=2,sample=min:8)"))};
  const ThresholdReport report = must(threshold_report({}, no_words(), sampled));
  ASSERT_EQ(report.methods.size(), 1U);
  EXPECT_EQ(report.methods[0].measure, "resemblance");
}

/// Texts of twenty sentences, each with some of the one before it.
LabelledSet drifting_set() {
  LabelledSet set{.texts = {}, .names = {}, .pairs = {}, .unlisted = Unlisted::different};
  for (int i = 0; i < 12; ++i) set.texts.push_back(sentences(i * (i % 5), i * (i % 5) + 20));
  return set;
}

/// Resemblances of all pairs of a stored collection, descending.
std::vector<double> collection_pairs(const LabelledSet& set, const std::string& scheme) {
  const test::TemporaryFolder folder;
  const auto words = must(Dictionary::open({}));
  const auto catalog = must(open_data_folder(folder.path(), words, "", true));
  const auto collection = must(catalog->create("set", scheme));
  for (std::size_t i = 0; i < set.texts.size(); ++i) {
    must(collection->put({.id = std::to_string(i), .title = "", .metadata = "", .text = set.texts[i]}));
  }
  std::vector<double> told;
  must(must(collection->snapshot())->pairs(PairsRequest(), [&](const DocumentPair& pair) -> Result<void> {
    told.push_back(pair.overlap.resemblance());
    return {};
  }));
  std::sort(told.begin(), told.end(), std::greater<>());
  return told;
}

TEST(ThresholdTest, WhatOnlyNominatesIsJudgedAsTheCollectionDoes) {
  const LabelledSet set = drifting_set();
  const std::size_t all = collection_pairs(set, "sentences").size();
  for (const std::string scheme : {"minhash(k=4,of=sentences)", "supershingles(groups=3,size=2,of=sentences)",
                                   "megashingles(groups=4,size=1,of=sentences)"}) {
    ThresholdRequest nominating = request();
    nominating.schemes = {must(make_scheme(scheme))};
    nominating.measures = {"resemblance"};
    const ThresholdReport report = must(threshold_report(set, no_words(), nominating));
    const std::vector<double> expected = collection_pairs(set, scheme);
    EXPECT_EQ(report.methods[0].measures, expected) << scheme;
    EXPECT_EQ(report.methods[0].candidates, expected.size()) << scheme;
    // The set is made so that a signature misses something, and finds more than equal texts.
    EXPECT_LT(expected.size(), all) << scheme;
    EXPECT_LT(expected.back(), 1.0) << scheme;
  }
}

TEST(ThresholdTest, AnEmptySetHasNothing) {
  const ThresholdReport report = must(threshold_report({}, no_words(), request()));
  EXPECT_EQ(report.different, 0U);
  EXPECT_THAT(cells(report.methods[0])[0], ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(report.methods[0].cells[0].first_kind(), 0.0);
  EXPECT_EQ(report.methods[0].cells[0].second_kind(), 0.0);
}

TEST(FeatureListsTest, GiveThePairsThatComparingGives) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::vector<Feature>> documents(2 + random() % 12);
    for (auto& features : documents) {
      features.resize(random() % 20);
      std::generate(features.begin(), features.end(), [&] { return Feature(random() % 15); });
    }
    std::vector<std::array<std::uint64_t, 5>> expected;
    for (std::size_t a = 0; a < documents.size(); ++a) {
      for (std::size_t b = a + 1; b < documents.size(); ++b) {
        const Overlap shared = overlap(documents[a], documents[b]);
        if (shared.x > 0) expected.push_back({a, b, shared.x, shared.a_features, shared.b_features});
      }
    }
    std::vector<std::array<std::uint64_t, 5>> told;
    must(find_pairs(FeatureLists(documents), PairsRequest(),
                    [&](DocNumber a, DocNumber b, const Overlap& shared) {
                      told.push_back({static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b), shared.x,
                                      shared.a_features, shared.b_features});
                      return Result<void>();
                    }));
    EXPECT_EQ(told, expected);
  }
}

}  // namespace
}  // namespace akin::evaluate
