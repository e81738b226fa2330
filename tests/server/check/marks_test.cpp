// The shares of a check as persons decide: by letters, so that every number can be counted by hand.
#include "server/check/marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace akin::check {
namespace {

using json::Json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Twenty letters. Two sources: [0,10) in two passages, and [5,15); [18,20) is excluded.
class Marks : public testing::Test {
 protected:
  [[nodiscard]] static Json source(std::uint64_t letters, std::vector<Json> passages) {
    Json source = {{"share", static_cast<double>(letters) / 18}, {"letters", letters}};
    source["passages"] = Json::array();
    for (Json& passage : passages) source["passages"].push_back({{"a", std::move(passage)}});
    return source;
  }
  /// As a request has it.
  [[nodiscard]] static Json sent(const Json& value) { return Json::parse(value.dump()); }
  [[nodiscard]] Json merged(const Json& changes) const {
    return merge_marks(check_, marks_, sent(changes)).value();
  }
  [[nodiscard]] DecidedShares shares(const Json& changes) const {
    return decided_shares(check_, text_, merged(changes));
  }
  [[nodiscard]] std::string refusal(const Json& change) const {
    return merge_marks(check_, marks_, sent(Json::array({change}))).error().message();
  }

  const std::string text_ = std::string(20, 'a');
  const Json check_ = {{"share", 15.0 / 18},
                       {"letters", {{"total", 20}, {"excluded", 2}, {"compared", 18}, {"found", 15}}},
                       {"sources", {source(10, {{0, 6}, {6, 10}}), source(10, {{5, 15}})}},
                       {"excluded", {{{"kind", "quotation"}, {"range", {18, 20}}}}}};
  Json marks_ = Json::array();
};

TEST_F(Marks, WithoutThemTheSharesAreThoseComputed) {
  const DecidedShares decided = shares(Json::array());
  EXPECT_EQ(decided.compared, 18U);
  EXPECT_EQ(decided.found, 15U);
  EXPECT_EQ(decided.share, 15.0 / 18);
  EXPECT_THAT(decided.sources, ElementsAre(10.0 / 18, 10.0 / 18));
}

TEST_F(Marks, GapsOfPassagesDoNotCount) {
  Json check = check_;
  check["sources"][0]["passages"][0]["gaps"] = {{2, 4}};
  check["sources"][0]["letters"] = 8;
  check["letters"]["found"] = 13;
  const DecidedShares computed = decided_shares(check, text_, Json::array());
  EXPECT_EQ(computed.found, 13U);
  EXPECT_THAT(computed.sources, ElementsAre(8.0 / 18, 10.0 / 18));
  const Json second = {{{"source", 2}, {"counted", false}}};
  EXPECT_EQ(decided_shares(check, text_, merge_marks(check, Json::array(), sent(second)).value()).found, 8U);
}

struct MarkCase {
  const char* name;
  Json marks;
  std::uint64_t compared, found;
  std::vector<std::uint64_t> sources;  ///< letters
};

TEST_F(Marks, ChangeTheSharesAsTheFindingsThatCount) {
  const std::vector<MarkCase> cases = {
      {"a source that does not count", {{{"source", 1}, {"counted", false}}}, 18, 10, {0, 10}},
      {"letters that another source has too remain", {{{"source", 2}, {"counted", false}}}, 18, 10, {10, 0}},
      {"one passage", {{{"source", 1}, {"passage", 1}, {"counted", false}}}, 18, 10, {4, 10}},
      {"a class other than borrowing", {{{"source", 2}, {"class", "quotation"}}}, 18, 10, {10, 0}},
      {"a borrowing counts", {{{"source", 2}, {"class", "borrowing"}}}, 18, 15, {10, 10}},
      {"a class that counts nevertheless",
       {{{"source", 2}, {"class", "quotation"}, {"counted", true}}},
       18,
       15,
       {10, 10}},
      {"a passage that counts of a source that does not",
       {{{"source", 1}, {"counted", false}}, {{"source", 1}, {"passage", 1}, {"counted", true}}},
       18,
       15,
       {6, 10}},
      {"nothing counts",
       {{{"source", 1}, {"counted", false}}, {{"source", 2}, {"counted", false}}},
       18,
       0,
       {0, 0}},
      {"an exclusion that is compared after all", {{{"exclusion", 1}, {"counted", true}}}, 20, 15, {10, 10}},
  };
  for (const MarkCase& one : cases) {
    SCOPED_TRACE(one.name);
    const DecidedShares decided = shares(Json(one.marks));
    EXPECT_EQ(decided.compared, one.compared);
    EXPECT_EQ(decided.found, one.found);
    for (std::size_t i = 0; i < one.sources.size(); ++i)
      EXPECT_DOUBLE_EQ(decided.sources[i],
                       static_cast<double>(one.sources[i]) / static_cast<double>(one.compared));
  }
}

TEST_F(Marks, FindInAnExclusionOnlyWhatAPassageExtendsOver) {
  Json check = check_;
  check["sources"][1]["passages"][0]["a"] = {5, 19};
  check["sources"][1]["letters"] = 13;
  check["letters"]["found"] = 18;
  const DecidedShares decided = decided_shares(check, text_, merged({{{"exclusion", 1}, {"counted", true}}}));
  EXPECT_EQ(decided.compared, 20U);
  EXPECT_EQ(decided.found, 19U);
}

TEST_F(Marks, MergeByWhatTheyAreOn) {
  marks_ = merged({{{"source", 2}, {"class", "template"}, {"remark", "the form"}},
                   {{"source", 1}, {"passage", 2}, {"counted", false}}});
  const Json both = merged({{{"source", 2}, {"counted", true}}});
  EXPECT_EQ(both, Json::parse(R"([
    {"source": 1, "passage": 2, "counted": false, "class": null, "remark": ""},
    {"source": 2, "counted": true, "class": "template", "remark": "the form"}])"));
  marks_ = both;
  EXPECT_EQ(merged({{{"source", 1}, {"passage", 2}, {"counted", nullptr}}}).size(), 1U);
}

TEST_F(Marks, AreRefusedOnWhatTheCheckDoesNotList) {
  EXPECT_THAT(refusal({{"source", 3}}), HasSubstr("lists 2 sources, not 3"));
  EXPECT_THAT(refusal({{"source", 2}, {"passage", 2}}), HasSubstr("lists 1 passages of this source, not 2"));
  EXPECT_THAT(refusal({{"exclusion", 2}}), HasSubstr("lists 1 exclusions, not 2"));
  EXPECT_THAT(refusal({{"passage", 1}}), HasSubstr("neither on a source, nor on an exclusion"));
  EXPECT_THAT(refusal({{"source", 1}, {"exclusion", 1}}), HasSubstr("neither on a source"));
  EXPECT_THAT(refusal({{"source", 0}}), HasSubstr("'source' is 0"));
  EXPECT_THAT(refusal({{"source", 1}, {"class", "theft"}}), HasSubstr("'theft' is not a class"));
  EXPECT_THAT(refusal({{"exclusion", 1}, {"class", "quotation"}}), HasSubstr("an exclusion has no class"));
  EXPECT_THAT(refusal({{"source", 1}, {"note", ""}}), HasSubstr("note"));
}

}  // namespace
}  // namespace akin::check
