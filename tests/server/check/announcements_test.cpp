#include "server/check/announcements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/check/checks.h"
#include "server/check/decision.h"
#include "tests/server/state/state_place.h"

namespace akin::check {
namespace {

using json::Json;
using ::testing::ElementsAre;

/// Over a state of LMDB or PostgreSQL.
class AnnouncementsTest : public ::testing::Test {
 protected:
  void set_webhook() {
    ASSERT_TRUE(set_check_webhook(*state_, CheckWebhook{"https://example.org/", "whsec_"}).has_value());
  }
  std::string add() {
    return checks_.add({.check = {{"title", "Essay"}, {"share", 0.5}}, .text = "text"}, time_now())
        .value()["id"]
        .get<std::string>();
  }
  [[nodiscard]] std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (const Announcement& one : announcements(*state_, 100).value())
      types.push_back(Json::parse(one.body)["type"].get<std::string>());
    return types;
  }

  test::StatePlace place_;
  std::shared_ptr<state::State> state_ = place_.open();
  Checks checks_{state_, 0};
};

TEST_F(AnnouncementsTest, AreNotWrittenWithoutAWebhook) {
  add();
  EXPECT_THAT(types(), ElementsAre());
}

TEST_F(AnnouncementsTest, ReportWhatHappensToACheck) {
  set_webhook();
  const std::string id = add();
  ASSERT_TRUE(Decisions(state_).decide(id, {"accepted", ""}, {{}, {}, time_now()}).has_value());
  ASSERT_TRUE(checks_.set_admitted(id, {{"id", "x"}}).has_value());
  EXPECT_THAT(types(), ElementsAre("check.done", "check.decided", "check.updated"));
  const Json data = Json::parse(announcements(*state_, 1)->front().body)["data"];
  EXPECT_EQ(data["id"], id);
  EXPECT_EQ(data["share"], 0.5);
  EXPECT_EQ(data["decision"]["state"], "open");
  EXPECT_FALSE(data.contains("text"));
}

TEST_F(AnnouncementsTest, WaitUntilTheyAreSettled) {
  set_webhook();
  add();
  Announcement one = announcements(*state_, 1)->front();
  one.attempts = 3;
  ASSERT_TRUE(postpone(*state_, one).has_value());
  state_ = place_.open();
  EXPECT_EQ(announcements(*state_, 1)->front().attempts, 3U);
  EXPECT_EQ(announcements(*state_, 1)->front().id, one.id);
  ASSERT_TRUE(settle(*state_, one).has_value());
  ASSERT_TRUE(postpone(*state_, one).has_value());
  EXPECT_THAT(types(), ElementsAre());
}

TEST_F(AnnouncementsTest, ThoseGivenUpAreListedUntilTheyAreSentAgain) {
  set_webhook();
  add();
  Announcement one = announcements(*state_, 10)->front();
  one.attempts = 7;
  one.last_error = "status 500";
  ASSERT_TRUE(give_up(*state_, one).has_value());
  EXPECT_THAT(types(), ElementsAre());
  const auto failed = failed_announcements(*state_).value();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].id, one.id);
  EXPECT_EQ(failed[0].last_error, "status 500");
  EXPECT_TRUE(failed[0].has_failed);
  EXPECT_EQ(retry_announcement(*state_, one.id)->attempts, 0U);
  EXPECT_THAT(types(), ElementsAre("check.done"));
  EXPECT_TRUE(failed_announcements(*state_)->empty());
  EXPECT_EQ(retry_announcement(*state_, one.id).error().code, Errc::not_found);
}

}  // namespace
}  // namespace akin::check
