// How long checks are kept that an earlier akin stored, which did not say when they expire.
#include "server/check/checks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "server/state/copy_state.h"
#include "tests/support/temporary_folder.h"

namespace akin::check {
namespace {

using json::Json;
using std::chrono::days;
using std::chrono::hours;

class UndatedChecks : public ::testing::Test {
 protected:
  /// Stores it as an earlier akin did, a year ago.
  std::string add(Json check = Json::object()) {
    Json stored = checks_.add({.check = std::move(check), .text = "text"}, now_ - days(365)).value();
    const auto id = stored["id"].get<std::string>();
    stored.erase("expires");
    EXPECT_TRUE(state_->put(state::Table::checks, id, stored.dump()).has_value());
    EXPECT_TRUE(state_->erase_all(state::Table::expiries, "").has_value());
    return id;
  }
  [[nodiscard]] Json expires(const std::string& id) const { return checks_.get(id).value()["expires"]; }

  const test::TemporaryFolder folder_;
  const std::shared_ptr<state::State> state_ = state::State::open(folder_.path()).value();
  Checks checks_{state_, 30};
  const Time now_ = time_now();
};

TEST_F(UndatedChecks, AreKeptFromNowOnAsLongAsNewOnes) {
  const std::string id = add();
  EXPECT_EQ(checks_.date_undated(now_, 100).value(), 1U);
  EXPECT_EQ(json::read_time(expires(id)), *json::read_time(json::time_or_null(now_ + days(30))));
  EXPECT_EQ(checks_.forget_expired(now_ + days(29), 100).value(), 0U);
  EXPECT_EQ(checks_.forget_expired(now_ + days(31), 100).value(), 1U);
  EXPECT_EQ(checks_.text(id).error().code, Errc::not_found);
}

TEST_F(UndatedChecks, AreDatedByTheirPolicies) {
  const std::string week = add({{"policy", {{"keep_days", 7}}}}),
                    for_ever = add({{"policy", {{"keep_days", 0}}}});
  EXPECT_EQ(checks_.date_undated(now_, 100).value(), 2U);
  EXPECT_EQ(json::read_time(expires(week)), *json::read_time(json::time_or_null(now_ + days(7))));
  EXPECT_EQ(expires(for_ever), Json(nullptr));
  EXPECT_EQ(checks_.forget_expired(now_ + days(36500), 100).value(), 1U);
}

TEST_F(UndatedChecks, AreDatedOnce) {
  add();
  EXPECT_EQ(checks_.date_undated(now_, 100).value(), 1U);
  EXPECT_EQ(checks_.date_undated(now_ + days(1), 100).value(), 0U);
}

TEST_F(UndatedChecks, AreDatedABoundedNumberAtATime) {
  for (int number = 0; number < 40; ++number) add();
  EXPECT_EQ(checks_.date_undated(now_, 16).value(), 16U);
  EXPECT_EQ(checks_.date_undated(now_, 16).value(), 16U);
  EXPECT_EQ(checks_.date_undated(now_, 16).value(), 8U);
}

TEST_F(UndatedChecks, LeaveDatedAndDamagedOnesAsTheyAre) {
  const Json dated = checks_.add({.check = Json::object(), .text = "text"}, now_).value();
  EXPECT_TRUE(state_->put(state::Table::checks, add(), "damaged").has_value());
  const std::string last = add();
  EXPECT_TRUE(state_->put(state::Table::clock, "checks-dated", "").has_value());
  EXPECT_EQ(checks_.date_undated(now_ + hours(1), 100).value(), 1U);
  EXPECT_EQ(checks_.get(dated["id"].get<std::string>()).value(), dated);
  EXPECT_TRUE(expires(last).is_string());
}

TEST_F(UndatedChecks, AreDatedWhereTheyAreCopiedTo) {
  add();
  const test::TemporaryFolder other;
  const auto to = state::State::open(other.path()).value();
  Checks there(to, 30);
  EXPECT_EQ(there.date_undated(now_, 100).value(), 0U);
  ASSERT_TRUE(state::copy_state(*state_, *to).has_value());
  EXPECT_EQ(there.date_undated(now_, 100).value(), 1U);
}

}  // namespace
}  // namespace akin::check
