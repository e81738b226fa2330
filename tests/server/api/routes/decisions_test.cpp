// Decisions about checks, over the API and at the desk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "server/check/decision.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kQuery = "application/x-www-form-urlencoded";

class DecisionsTest : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/first", kText, sentences(100, 10));
    expect(201, "PUT", "/v1/collections/books/documents/second", kText, sentences(200, 10));
    check_ = post({});
  }
  /// A check of which a third each is in the first and the second document.
  [[nodiscard]] Json post(const Json& policy) const {
    Json body = {{"collections", {"books"}},
                 {"text", sentences(100, 10) + sentences(200, 10) + sentences(900, 10)}};
    if (!policy.is_null()) body["policy"] = policy;
    return expect(201, "POST", "/v1/checks", kJson, body.dump());
  }
  [[nodiscard]] std::string path() const { return "/v1/checks/" + id(); }
  [[nodiscard]] std::string id() const { return check_["id"].get<std::string>(); }
  [[nodiscard]] Json decide(std::string_view state, int status = 200, std::string_view remark = {}) const {
    return expect(status, "PUT", path() + "/decision", kJson,
                  Json{{"state", state}, {"remark", remark}}.dump());
  }
  [[nodiscard]] Json mark(const Json& marks, int status = 200) const {
    return expect(status, "PATCH", path() + "/marks", kJson, Json{{"marks", marks}}.dump());
  }
  [[nodiscard]] Json decision() const { return expect(200, "GET", path() + "/decision"); }
  /// A decision by a person.
  [[nodiscard]] Result<Json> decide_as(const std::string& person, const std::string& state) const {
    return check::Decisions(service_.state)
        .decide(id(), {state, ""}, {{.kind = "person", .id = person, .name = person}, {}, time_now()});
  }

  Json check_;
};

TEST_F(DecisionsTest, ANewCheckIsOpenWithTheSharesAsComputed) {
  const Json& decision = check_["decision"];
  EXPECT_EQ(decision["state"], "open");
  EXPECT_EQ(decision["revision"], 0);
  EXPECT_EQ(decision["share"], check_["share"]);
  EXPECT_EQ(decision["source_shares"][1], check_["sources"][1]["share"]);
  EXPECT_EQ(decision["letters"]["found"], check_["letters"]["found"]);
}

TEST_F(DecisionsTest, ASourceThatDoesNotCountHalvesTheShareAsDecidedOnly) {
  const Json answer = mark({{{"source", 1}, {"class", "quotation"}, {"remark", "quoted on page 3"}}});
  EXPECT_EQ(answer["share"], check_["share"]);
  EXPECT_NEAR(answer["decision"]["share"].get<double>(), check_["share"].get<double>() / 2, 0.01);
  EXPECT_EQ(answer["decision"]["source_shares"][0], 0.0);
  EXPECT_EQ(expect(200, "GET", path())["share"], check_["share"]);
  const Json listed = expect(200, "GET", "/v1/checks")["checks"][0];
  EXPECT_EQ(listed["share"], check_["share"]);
  EXPECT_EQ(listed["decision"]["share"], answer["decision"]["share"]);
}

TEST_F(DecisionsTest, HistoryKeepsEveryChangeInOrder) {
  EXPECT_TRUE(decision()["history"].empty());
  (void)mark({{{"source", 2}, {"counted", false}}});
  (void)decide("accepted", 200, "Both quoted");
  (void)decide("open", 200, "A new source");
  const Json history = decision()["history"];
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[0]["action"], "marks");
  EXPECT_EQ(history[0]["marks"][0]["source"], 2);
  EXPECT_EQ(history[1]["remark"], "Both quoted");
  EXPECT_EQ(history[1]["state"], "accepted");
  EXPECT_EQ(history[2]["state"], "open");
  EXPECT_EQ(history[2]["number"], 3);
}

TEST_F(DecisionsTest, TheSameDecisionOnceMoreChangesNothing) {
  (void)decide("refused", 200, "why");
  (void)decide("refused", 200, "why");
  EXPECT_EQ(decision()["history"].size(), 1U);
}

TEST_F(DecisionsTest, ADecidedCaseMustBeReopenedBeforeItChanges) {
  (void)decide("returned");
  EXPECT_EQ(decide("accepted", 409)["code"], "already_exists");
  EXPECT_EQ(mark({{{"source", 1}, {"counted", false}}}, 409)["code"], "already_exists");
  (void)decide("open");
  EXPECT_EQ(decide("accepted")["decision"]["state"], "accepted");
}

TEST_F(DecisionsTest, ASecondReaderDoesNotUndoWhatAnotherHasJustDecided) {
  const auto read = call("GET", path() + "/decision");
  const auto tag = std::ranges::find(read.headers, "ETag", [](const auto& one) { return one.first; });
  ASSERT_NE(tag, read.headers.end());
  EXPECT_EQ(tag->second, "\"0\"");
  (void)decide("accepted");
  const auto late =
      check::Decisions(service_.state)
          .decide(id(), {"open", ""}, {{}, {Precondition::Kind::revision_in, {Revision(0)}}, time_now()});
  EXPECT_EQ(late.error().code, Errc::precondition_failed);
}

TEST_F(DecisionsTest, OfManyAtOnceEachIsAnEntry) {
  std::vector<std::thread> readers;
  for (int i = 0; i < 8; ++i)
    readers.emplace_back([&, i] { (void)decide("open", 200, "remark " + std::to_string(i)); });
  for (std::thread& reader : readers) reader.join();
  const Json history = decision()["history"];
  ASSERT_EQ(history.size(), 8U);
  for (std::size_t i = 0; i < history.size(); ++i) EXPECT_EQ(history[i]["number"], i + 1);
}

TEST_F(DecisionsTest, TwoReadersMustAgreeIfThePolicySaysSo) {
  check_ = post({{"readers", 2}});
  EXPECT_EQ(decide("accepted", 403)["code"], "forbidden");  // nobody is signed in
  EXPECT_EQ(decide_as("anna", "accepted")->at("decision").at("state"), "open");
  EXPECT_EQ(decision()["decision"]["proposed"]["by"]["id"], "anna");
  EXPECT_EQ(decide_as("boris", "refused")->at("decision").at("proposed").at("state"), "refused");
  EXPECT_EQ(decide_as("boris", "refused").error().code, Errc::forbidden);
  const Json decided = decide_as("anna", "refused").value();
  EXPECT_EQ(decided["decision"]["state"], "refused");
  EXPECT_TRUE(decided["decision"]["proposed"].is_null());
}

TEST_F(DecisionsTest, MarksWithdrawAProposal) {
  check_ = post({{"readers", 2}});
  ASSERT_TRUE(decide_as("anna", "accepted").has_value());
  EXPECT_TRUE(mark({{{"source", 1}, {"counted", false}}})["decision"]["proposed"].is_null());
  EXPECT_EQ(decide_as("boris", "accepted")->at("decision").at("state"), "open");
}

TEST_F(DecisionsTest, AChecksHistoryGoesWithIt) {
  (void)decide("accepted");
  expect(200, "DELETE", path());
  EXPECT_EQ(service_.state->count(state::Table::decisions).value(), 0U);
}

TEST_F(DecisionsTest, ChecksAreListedByTheirStates) {
  (void)decide("returned");
  (void)post({});
  EXPECT_EQ(expect(200, "GET", "/v1/checks?total=true&state=returned")["total"], 1);
  EXPECT_EQ(expect(200, "GET", "/v1/checks?total=true&state=open")["total"], 1);
  EXPECT_EQ(expect(400, "GET", "/v1/checks?state=lost")["code"], "invalid_argument");
}

TEST_F(DecisionsTest, MalformedOnesAreRefused) {
  EXPECT_EQ(decide("lost", 400)["code"], "invalid_argument");
  EXPECT_EQ(decide("accepted", 413, std::string(10'001, 'x'))["code"], "too_large");
  EXPECT_EQ(mark({{{"source", 7}}}, 400)["code"], "invalid_argument");
  EXPECT_EQ(mark(7, 400)["code"], "invalid_argument");
  EXPECT_TRUE(decision()["history"].empty());
}

class DeskDecisionsTest : public DecisionsTest {
 protected:
  [[nodiscard]] std::string page(const std::string& below = {}) const {
    const api::Response page = call("GET", "/desk/checks/" + id() + below);
    EXPECT_EQ(page.status, 200) << page.body;
    return page.body;
  }
  [[nodiscard]] int send(const std::string& below, const std::string& form) const {
    return call("POST", "/desk/checks/" + id() + below, kQuery, form).status;
  }
};

TEST_F(DeskDecisionsTest, ShowsComputedAndDecidedSideBySide) {
  EXPECT_THAT(page(), HasSubstr("<p id=\"decided\" role=\"status\">State: open.</p>"));
  EXPECT_EQ(send("/marks", "revision=0&source=1&what-0=quotation&remark-0=page+3"), 303);
  const std::string after = page();
  EXPECT_THAT(after, HasSubstr("As computed: 66.7\u00a0%. As decided by persons: 33.3\u00a0%"));
  EXPECT_THAT(after,
              HasSubstr("33.3\u00a0% of the text<span class=\"decided\">, as decided 0.0\u00a0%</span>"));
  EXPECT_THAT(after, HasSubstr("<span>does not count</span>: quotation – page 3"));
  EXPECT_THAT(after, HasSubstr("<mark class=\"off\" data-m=\"1\""));
  EXPECT_THAT(call("GET", "/desk/checks").body, HasSubstr("66.7\u00a0%, as decided 33.3\u00a0%"));
}

TEST_F(DeskDecisionsTest, AFormShowsWhatIsMarked) {
  EXPECT_EQ(send("/marks", "revision=0&source=2&what-1=off&remark-1=x%3C"), 303);
  const std::string form = page("/marks?source=2");
  EXPECT_THAT(form, HasSubstr("<option value=\"off\" selected>"));
  EXPECT_THAT(form, HasSubstr("value=\"x&lt;\""));
  EXPECT_EQ(send("/marks", "revision=1&source=2&what-0=&what-1=off&remark-1=x%3C"), 303);
  EXPECT_EQ(decision()["decision"]["revision"], 1);  // nothing has changed
}

TEST_F(DeskDecisionsTest, DecidesAndReopens) {
  EXPECT_EQ(send("/decision", "revision=0&state=accepted&remark=fine"), 303);
  const std::string accepted = page();
  EXPECT_THAT(accepted, HasSubstr("State: accepted."));
  EXPECT_THAT(accepted, HasSubstr("<br>fine"));
  EXPECT_THAT(accepted, Not(HasSubstr("/marks?source=1")));
  EXPECT_THAT(call("GET", "/desk/checks?state=accepted").body, HasSubstr(id()));
  EXPECT_EQ(send("/decision", "revision=1&state=open&remark="), 303);
  EXPECT_THAT(page(), HasSubstr("State: open."));
}

TEST_F(DeskDecisionsTest, RefusesAFormThatSomebodyElseWasFasterThan) {
  EXPECT_EQ(send("/decision", "revision=0&state=accepted&remark="), 303);
  EXPECT_EQ(send("/decision", "revision=0&state=open&remark="), 412);
  EXPECT_EQ(send("/marks", "revision=0&source=1&what-0=off"), 412);
  EXPECT_EQ(send("/marks", "revision=&source=1"), 400);
  EXPECT_EQ(send("/marks", "revision=1&source=9"), 404);
}

TEST_F(DeskDecisionsTest, AnExclusionIsComparedAfterAll) {
  Json body = {{"collections", {"books"}}, {"policy", {{"exclude", {{"quotations", true}}}}}};
  body["text"] = "\"" + sentences(300, 2) + "\"\n" + sentences(100, 10);
  check_ = expect(201, "POST", "/v1/checks", kJson, body.dump());
  ASSERT_EQ(check_["excluded"].size(), 1U);
  EXPECT_THAT(page("/marks"), HasSubstr("compare after all"));
  EXPECT_EQ(send("/marks", "revision=0&source=0&what-1=on"), 303);
  EXPECT_EQ(decision()["decision"]["letters"]["compared"], check_["letters"]["total"]);
  EXPECT_LT(decision()["decision"]["share"], check_["share"]);
}

}  // namespace
}  // namespace akin::test
