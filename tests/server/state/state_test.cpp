#include "server/state/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/service_fixture.h"

namespace akin::state {
namespace {

using ::testing::ElementsAre;

class StateTest : public ::testing::Test {
 protected:
  std::vector<std::string> keys(std::string_view prefix, std::string_view after, std::size_t limit) {
    std::vector<std::string> names;
    for (const Entry& entry : state_->list(Table::watches, prefix, after, limit).value())
      names.push_back(entry.key);
    return names;
  }

  testing::TemporaryFolder folder_;
  std::shared_ptr<State> state_ = State::open(folder_.path()).value();
};

TEST_F(StateTest, KeepsEachTableApart) {
  ASSERT_TRUE(state_->put(Table::keys, "a", "1").has_value());
  EXPECT_EQ(state_->get(Table::keys, "a").value(), "1");
  EXPECT_EQ(state_->get(Table::tasks, "a").value(), std::nullopt);
}

TEST_F(StateTest, IsThereAfterReopening) {
  ASSERT_TRUE(state_->put(Table::policies, "strict", "{}").has_value());
  state_.reset();
  EXPECT_EQ(State::open(folder_.path()).value()->get(Table::policies, "strict").value(), "{}");
}

TEST_F(StateTest, ListsByPrefixInOrderFromBehindAKey) {
  for (const char* name : {"b", "a", "c"})
    ASSERT_TRUE(state_->put(Table::watches, pair_key("x", name), "").has_value());
  ASSERT_TRUE(state_->put(Table::watches, pair_key("xy", "a"), "").has_value());
  EXPECT_THAT(keys(pair_key("x", ""), "", 10),
              ElementsAre(pair_key("x", "a"), pair_key("x", "b"), pair_key("x", "c")));
  EXPECT_THAT(keys(pair_key("x", ""), pair_key("x", "a"), 1), ElementsAre(pair_key("x", "b")));
}

TEST_F(StateTest, UndoesEverythingWhenAChangeFails) {
  const auto outcome = state_->write([](Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(Table::tasks, "t", "1"));
    return writer.put(Table::tasks, "", "empty keys are refused");
  });
  EXPECT_EQ(outcome.error().code, Errc::invalid_argument);
  EXPECT_EQ(state_->count(Table::tasks).value(), 0U);
}

TEST_F(StateTest, TellsWhetherThereWasSomethingToErase) {
  ASSERT_TRUE(state_->put(Table::checks, "c", "1").has_value());
  EXPECT_TRUE(state_->erase(Table::checks, "c").value());
  EXPECT_FALSE(state_->erase(Table::checks, "c").value());
}

}  // namespace
}  // namespace akin::state
