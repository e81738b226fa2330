#include "server/state/restore_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/state/state_place.h"

namespace akin::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A backup's state, in a data folder of its own, and a state that may be in a database.
class RestoreRecordsTest : public ::testing::Test {
 protected:
  RestoreRecordsTest() {
    const auto backup = State::open(folder_.path()).value();
    for (const char* name : {"books", "news"})
      EXPECT_TRUE(backup->put(Table::labels, name, std::string("labels of ") + name).has_value());
    for (const char* name : {"duplicate", "same"})
      EXPECT_TRUE(backup->put(Table::models, name, "a model").has_value());
    EXPECT_TRUE(backup->put(Table::keys, "key", "of the backup").has_value());
  }

  BackedUpState backup(std::vector<std::pair<std::string, std::string>> collections, bool whole) const {
    return {folder_.path(), std::move(collections), whole, false};
  }

  std::vector<std::string> keys(const State& state, Table table) const {
    std::vector<std::string> names;
    for (const Entry& entry : state.list(table, "", "", 100).value()) names.push_back(entry.key);
    return names;
  }

  test::TemporaryFolder folder_;
  test::StatePlace place_;
  std::shared_ptr<State> state_ = place_.open();
};

TEST_F(RestoreRecordsTest, TakesTheLabelsOfTheRestoredCollectionsUnderTheirNewNames) {
  ASSERT_TRUE(state_->put(Table::labels, "old-books", "others").has_value());
  const auto restored = restore_records(backup({{"books", "old-books"}}, false), *state_, false).value();
  EXPECT_THAT(restored.labels, ElementsAre("old-books"));
  EXPECT_EQ(state_->get(Table::labels, "old-books").value(), "labels of books");
  EXPECT_THAT(keys(*state_, Table::labels), ElementsAre("old-books"));
  EXPECT_THAT(keys(*state_, Table::models), IsEmpty());
  EXPECT_THAT(keys(*state_, Table::keys), IsEmpty());
}

TEST_F(RestoreRecordsTest, KeepsLabelsOfACollectionThatHasNoneInTheBackup) {
  ASSERT_TRUE(state_->put(Table::labels, "bare", "labels").has_value());
  EXPECT_THAT(restore_records(backup({{"bare", "bare"}}, false), *state_, true).value().labels, IsEmpty());
  EXPECT_EQ(state_->get(Table::labels, "bare").value(), "labels");
}

TEST_F(RestoreRecordsTest, ReplacesModelsOnlyOnRequest) {
  ASSERT_TRUE(state_->put(Table::models, "same", "another").has_value());
  const BackedUpState whole = backup({{"books", "books"}, {"news", "news"}}, true);
  auto restored = restore_records(whole, *state_, false).value();
  EXPECT_THAT(restored.models, ElementsAre("duplicate"));
  EXPECT_THAT(restored.kept_models, ElementsAre("same"));
  EXPECT_EQ(state_->get(Table::models, "same").value(), "another");
  restored = restore_records(whole, *state_, true).value();
  EXPECT_THAT(restored.models, ElementsAre("duplicate", "same"));
  EXPECT_THAT(restored.kept_models, IsEmpty());
  EXPECT_EQ(state_->get(Table::models, "same").value(), "a model");
  EXPECT_THAT(keys(*state_, Table::keys), IsEmpty());
}

TEST_F(RestoreRecordsTest, LeavesNoLabelsOfOtherCollectionsInACopyThatBecomesTheState) {
  const auto restored = keep_restored_records(backup({{"books", "old-books"}}, true)).value();
  EXPECT_THAT(restored.labels, ElementsAre("old-books"));
  EXPECT_THAT(restored.models, ElementsAre("duplicate", "same"));
  const auto state = State::open(folder_.path()).value();
  EXPECT_THAT(keys(*state, Table::labels), ElementsAre("old-books"));
  EXPECT_EQ(state->get(Table::labels, "old-books").value(), "labels of books");
  EXPECT_THAT(keys(*state, Table::models), ElementsAre("duplicate", "same"));
  EXPECT_EQ(state->get(Table::keys, "key").value(), "of the backup");
}

}  // namespace
}  // namespace akin::state
