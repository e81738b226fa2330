// Standing checks: computed again when documents arrive, with both outcomes kept.
#include "server/run/recheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/check/announcements.h"
#include "server/check/standing.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;
using testing::Not;

class RecheckTest : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    put("first", sentences(100, 10));
  }
  void put(const std::string& id, const std::string& text) const {
    expect(201, "PUT", "/v1/collections/books/documents/" + id, kText, text);
  }
  [[nodiscard]] std::string check(const Json& policy = {{"stand_days", 30}}) const {
    const Json body = {{"collections", {"books"}},
                       {"text", sentences(100, 10) + sentences(200, 10) + sentences(900, 10)},
                       {"policy", policy}};
    return expect(201, "POST", "/v1/checks", kJson, body.dump())["id"].get<std::string>();
  }
  /// A look after so many days.
  [[nodiscard]] std::size_t look(int days = 0) const {
    return api::recheck_standing(service_, time_now() + std::chrono::days(days),
                                 {.pause = std::chrono::seconds(0)})
        .value();
  }
  [[nodiscard]] Json get(const std::string& id) const { return expect(200, "GET", "/v1/checks/" + id); }
};

TEST_F(RecheckTest, AnArrivalThatChangesTheShareIsKeptBesideTheFirstOutcome) {
  ASSERT_TRUE(check::set_check_webhook(*service_.state, check::CheckWebhook{"http://127.0.0.1:1/", "s"}));
  const std::string id = check();
  const Json before = get(id);
  put("second", sentences(200, 10));
  EXPECT_EQ(look(), 1U);
  const Json after = get(id);
  EXPECT_EQ(after["share"], before["share"]);
  EXPECT_NEAR(after["later"]["share"].get<double>(), 2 * before["share"].get<double>(), 0.01);
  const Json later = expect(200, "GET", "/v1/checks/" + id + "/later");
  EXPECT_EQ(later["time"], after["later"]["time"]);
  EXPECT_EQ(later["outcome"]["sources_total"], 2);
  EXPECT_THAT(call("GET", "/v1/checks/" + id + "/report").body, HasSubstr("books/second"));
  EXPECT_THAT(check::announcements(*service_.state, 10)->back().body, HasSubstr("check.updated"));
}

TEST_F(RecheckTest, NothingIsComputedWithoutAnArrival) {
  (void)check();
  EXPECT_EQ(look(), 0U);
  put("other", sentences(500, 10));
  EXPECT_EQ(look(), 1U);
  EXPECT_EQ(look(), 0U);
}

TEST_F(RecheckTest, AnArrivalThatChangesNothingLeavesTheCheckAsItIs) {
  const std::string id = check();
  const Json before = get(id);
  put("other", sentences(500, 10));
  EXPECT_EQ(look(), 1U);
  EXPECT_EQ(get(id), before);
  expect(404, "GET", "/v1/checks/" + id + "/later");
}

TEST_F(RecheckTest, ItsOwnAdmissionIsNotASource) {
  const std::string id = check();
  expect(201, "POST", "/v1/checks/" + id + "/admit", kJson, R"({"collection":"books","id":"thesis"})");
  EXPECT_EQ(look(), 1U);
  EXPECT_FALSE(get(id).contains("later"));
}

TEST_F(RecheckTest, ALaterOutcomeTakesThePlaceOfAnEarlierLaterOne) {
  const std::string id = check();
  put("second", sentences(200, 10));
  EXPECT_EQ(look(), 1U);
  put("third", sentences(900, 10));
  EXPECT_EQ(look(1), 1U);
  EXPECT_EQ(get(id)["later"]["sources_total"], 3);
}

TEST_F(RecheckTest, ACheckStandsAsLongAsItsPolicySays) {
  const std::string never = check({{"stand_days", 0}}), month = check();
  EXPECT_EQ(check::standing_checks(*service_.state, "", 10)->size(), 1U);
  put("second", sentences(200, 10));
  EXPECT_EQ(look(30), 0U);
  EXPECT_TRUE(check::standing_checks(*service_.state, "", 10)->empty());
  EXPECT_FALSE(get(month).contains("later"));
}

TEST_F(RecheckTest, TheLaterOutcomeGoesWithTheCheck) {
  const std::string id = check();
  put("second", sentences(200, 10));
  EXPECT_EQ(look(), 1U);
  expect(200, "DELETE", "/v1/checks/" + id);
  EXPECT_EQ(service_.checks->space()->pieces, 0U);
  EXPECT_TRUE(check::standing_checks(*service_.state, "", 10)->empty());
}

TEST_F(RecheckTest, ACertificateProvesTheFirstOutcome) {
  const std::string id = check();
  const Json before = expect(200, "GET", "/v1/checks/" + id + "/certificate");
  put("second", sentences(200, 10));
  EXPECT_EQ(look(), 1U);
  const Json after = expect(200, "GET", "/v1/checks/" + id + "/certificate");
  EXPECT_EQ(after["outcome_sha256"], before["outcome_sha256"]);
}

}  // namespace
}  // namespace akin::test
