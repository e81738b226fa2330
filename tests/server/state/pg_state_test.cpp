// A state in PostgreSQL whose connections break.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/state/state.h"
#include "tests/server/state/state_place.h"

namespace akin::state {
namespace {

class PgStateTest : public ::testing::Test {
 protected:
  test::StatePlace place_;
  std::shared_ptr<State> state_ = place_.open();
};

/// Every connection of the database but the one that asks.
void break_connections(const std::string& database) {
  const auto connection = test::test_database()->borrow().value();
  const auto broken = connection->run(
      "SELECT pg_terminate_backend(pid)::int::bigint FROM pg_stat_activity WHERE datname = '" + database +
      "'");
  ASSERT_THAT(broken.value().size(), testing::Gt(0U));
}

TEST_F(PgStateTest, IsReadAndWrittenAfterItsConnectionsBroke) {
  ASSERT_TRUE(state_->put(Table::keys, "k", "1").has_value());
  break_connections(place_.database());
  EXPECT_EQ(state_->get(Table::keys, "k").value(), "1");
  break_connections(place_.database());
  EXPECT_TRUE(state_->put(Table::keys, "k", "2").has_value());
  break_connections(place_.database());
  EXPECT_NE(state_->try_lease("a").value(), nullptr);
}

TEST_F(PgStateTest, HoldWhoseConnectionBrokeIsAnothers) {
  auto held = state_->try_lease("a").value();
  break_connections(place_.database());
  EXPECT_EQ(held->check().error().code, Errc::busy);
  EXPECT_NE(state_->lease("a", std::chrono::seconds(10), "a test").value(), nullptr);
}

TEST_F(PgStateTest, WriterThatStandsStillDoesNotStopTheOthers) {
  const auto slow = state_->write([&](Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(Table::keys, "slow", "1"));
    break_connections(place_.database());  // as idle_in_transaction_session_timeout does
    EXPECT_TRUE(state_->put(Table::keys, "other", "1").has_value());
    return {};
  });
  EXPECT_TRUE(slow.has_error());
  EXPECT_EQ(state_->get(Table::keys, "slow").value(), std::nullopt);
  EXPECT_EQ(state_->get(Table::keys, "other").value(), "1");
}

TEST_F(PgStateTest, CopyIsLeftToTheDatabase) {
  const auto copied = state_->copy([](std::string_view) { return Result<void>(); });
  EXPECT_EQ(copied.error().code, Errc::unsupported);
}

}  // namespace
}  // namespace akin::state
