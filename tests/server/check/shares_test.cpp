// What counts as found of a passage, and what sources have beside each other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/check/ranges.h"
#include "server/check/run.h"
#include "tests/server/api/service_fixture.h"

namespace akin::check {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// Words of five letters each, no two of them equal.
std::string words(int first, int count) {
  std::string text;
  for (int number = first; number < first + count; ++number) {
    std::string word = "q";
    for (int rest = number, letter = 0; letter < 4; ++letter, rest /= 20)
      word += static_cast<char>('a' + rest % 20);
    text += word + ' ';
  }
  return text;
}
constexpr std::uint64_t kLetters = 5;

class Shares : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(service_.catalog->create("books", std::string(kDefaultScheme)).has_value());
  }
  void put(const std::string& id, const std::string& text, const std::string& metadata = "") {
    ASSERT_TRUE(service_.catalog->get("books").value()->put({id, "", metadata, text}).has_value());
  }
  Outcome check(const std::string& text, const Policy& policy = {}) {
    CheckRequest request;
    request.collections = {"books"};
    request.text = text;
    request.policy = policy;
    return run_check(*service_.catalog, request).value();
  }

  test::TemporaryFolder folder_;
  api::Service service_ = test::open_service(folder_.path());
};

TEST_F(Shares, APassageSaysWhereItDiffers) {
  put("source", words(0, 40));
  const Outcome outcome = check(words(0, 20) + words(1000, 1) + words(21, 19));
  ASSERT_EQ(outcome.sources.size(), 1U);
  ASSERT_EQ(outcome.sources[0].changes.size(), 1U);
  ASSERT_EQ(outcome.sources[0].changes[0].size(), 1U);
  const TextChange& change = outcome.sources[0].changes[0][0];
  EXPECT_EQ(change.kind, ChangeKind::replaced);
  EXPECT_EQ(change.a, (TextRange{20 * 6, 21 * 6 - 1}));
  EXPECT_EQ(change.b, (TextRange{20 * 6, 21 * 6 - 1}));
}

TEST_F(Shares, WhatTheTextHasInQuotationMarksIsNotInsertedByTheSource) {
  put("source", words(0, 20) + "said " + words(20, 20) + words(40, 20));
  Policy policy;
  policy.exclude.quotations = true;
  policy.exclude.max_quotation_share = 0.5;
  const Outcome outcome = check(words(0, 20) + "«" + words(20, 20) + "» " + words(40, 20), policy);
  ASSERT_EQ(outcome.letters.compared, 40 * kLetters);
  ASSERT_EQ(outcome.sources.size(), 1U);
  ASSERT_EQ(outcome.sources[0].passages.size(), 1U);
  EXPECT_THAT(outcome.sources[0].passages[0].changes, Each(0U));
  EXPECT_THAT(outcome.sources[0].changes, ElementsAre(IsEmpty()));
  const Outcome whole = check(words(0, 20) + "«" + words(20, 20) + "» " + words(40, 20));
  EXPECT_THAT(whole.sources[0].passages[0].changes, ElementsAre(1U, 0U, 0U, 0U, 0U, 0U, 0U));  // "said"
}

TEST_F(Shares, OwnSentenceInsideAPassageIsNotFound) {
  put("source", words(0, 80));
  const Outcome outcome = check(words(0, 40) + words(1000, 10) + words(40, 40));
  ASSERT_EQ(outcome.sources.size(), 1U);
  ASSERT_EQ(outcome.sources[0].passages.size(), 1U);
  EXPECT_THAT(outcome.sources[0].passages[0].gaps, ElementsAre(TextRange{40 * 6, 50 * 6 - 1}));
  EXPECT_EQ(outcome.letters.found, 80 * kLetters);
  EXPECT_EQ(outcome.letters.extent, 90 * kLetters);
  EXPECT_EQ(outcome.sources[0].letters, 80 * kLetters);
  EXPECT_EQ(outcome.sources[0].extent, 90 * kLetters);
}

TEST_F(Shares, FewWordsBetweenMatchedOnesAreFound) {
  put("source", words(0, 80));
  const Outcome outcome = check(words(0, 40) + words(1000, 5) + words(40, 40));
  ASSERT_EQ(outcome.sources.size(), 1U);
  EXPECT_THAT(outcome.sources[0].passages[0].gaps, IsEmpty());
  EXPECT_EQ(outcome.letters.found, 85 * kLetters);
  EXPECT_EQ(outcome.letters.extent, 85 * kLetters);
}

/// What is copied into the fields of a form is found.
TEST_F(Shares, WhatAFormIsFilledWithIsCompared) {
  put("source", words(1000, 20));
  Policy policy;
  policy.exclude.templates = {{"", "", words(0, 40)}};
  const Outcome outcome = check(words(0, 20) + words(1000, 20) + words(20, 20), policy);
  EXPECT_EQ(outcome.letters.compared, 20 * kLetters);
  EXPECT_EQ(outcome.share(), 1.0);
}

TEST_F(Shares, SourcesSayWhatOnlyTheyHave) {
  put("large", words(0, 60));
  put("small", words(40, 40));
  const Outcome outcome = check(words(0, 80));
  ASSERT_EQ(outcome.sources.size(), 2U);
  EXPECT_EQ(outcome.sources[0].document.id, "large");
  EXPECT_EQ(outcome.sources[0].only, 40 * kLetters);
  EXPECT_EQ(outcome.sources[1].only, 20 * kLetters);
  EXPECT_EQ(outcome.sources[1].same_as, 0U);
}

TEST_F(Shares, EditionsHaveTheSamePassages) {
  put("edition 1", words(0, 60));
  put("edition 2", words(500, 300) + words(0, 59));
  put("other", words(60, 30));
  const Outcome outcome = check(words(0, 90));
  ASSERT_EQ(outcome.sources.size(), 3U);
  EXPECT_EQ(outcome.sources[0].same_as, 0U);
  EXPECT_EQ(outcome.sources[1].same_as, 1U);
  EXPECT_EQ(outcome.sources[2].same_as, 0U);
  EXPECT_EQ(outcome.sources[0].only, 1 * kLetters);
  EXPECT_EQ(outcome.sources[1].only, 0U);
}

/// By date of publication, then, of those without a date, by when they were stored.
TEST_F(Shares, EditionsStandTogetherTheEarliestFirst) {
  put("undated", words(0, 60));
  put("undated later", words(0, 60));
  put("larger", words(60, 100));
  put("of 1901", words(0, 58), R"({"date": "1901-05-01"})");
  put("of 1899", words(0, 57), R"({"date": "1899"})");
  const Outcome outcome = check(words(0, 160));
  std::vector<std::string> ids;
  std::vector<std::size_t> same_as;
  for (const Source& source : outcome.sources) {
    ids.push_back(source.document.id);
    same_as.push_back(source.same_as);
  }
  EXPECT_THAT(ids, ElementsAre("larger", "of 1899", "of 1901", "undated", "undated later"));
  EXPECT_THAT(same_as, ElementsAre(0U, 0U, 2U, 2U, 2U));
  EXPECT_EQ(outcome.reasons.at(1).id, "larger");
}

TEST_F(Shares, TheLargestSourceIsTheReasonThoughAnEarlierEditionIsListedBeforeIt) {
  put("later and larger", words(0, 60), R"({"date": "1950-01-01"})");
  put("earlier", words(0, 56), R"({"date": "1850-01-01"})");
  const Outcome outcome = check(words(0, 60) + words(500, 40));
  ASSERT_EQ(outcome.sources.size(), 2U);
  EXPECT_EQ(outcome.sources[0].document.id, "earlier");
  EXPECT_EQ(outcome.reasons.at(1).id, "later and larger");
  EXPECT_EQ(outcome.reasons.at(1).value, 0.6);
}

TEST(TextRanges, WhatTwoHave) {
  EXPECT_THAT(covered_twice({{0, 10}, {5, 15}, {8, 9}, {14, 20}, {30, 40}}),
              ElementsAre(TextRange{5, 10}, TextRange{14, 15}));
  EXPECT_THAT(covered_twice({{0, 10}, {10, 20}}), IsEmpty());
}

TEST(TextRanges, WhatIsLeftWithoutSome) {
  std::vector<TextRange> left;
  append_without({0, 20}, {{0, 2}, {5, 8}, {18, 20}}, left);
  append_without({30, 31}, {}, left);
  EXPECT_THAT(left, ElementsAre(TextRange{2, 5}, TextRange{8, 18}, TextRange{30, 31}));
}

}  // namespace
}  // namespace akin::check
