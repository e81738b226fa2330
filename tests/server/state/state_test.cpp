#include "server/state/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/server/state/state_place.h"

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

  test::StatePlace place_;
  std::shared_ptr<State> state_ = place_.open();
};

TEST_F(StateTest, KeepsEachTableApart) {
  ASSERT_TRUE(state_->put(Table::keys, "a", "1").has_value());
  EXPECT_EQ(state_->get(Table::keys, "a").value(), "1");
  EXPECT_EQ(state_->get(Table::tasks, "a").value(), std::nullopt);
}

TEST_F(StateTest, IsThereAfterReopening) {
  ASSERT_TRUE(state_->put(Table::policies, "strict", "{}").has_value());
  state_.reset();
  EXPECT_EQ(place_.open()->get(Table::policies, "strict").value(), "{}");
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

TEST_F(StateTest, AWriteSeesWhetherAPrefixIsInUse) {
  ASSERT_TRUE(state_->put(Table::watches, "a/1", "").has_value());
  const auto written = state_->write([](Writer& writer) -> Result<void> {
    EXPECT_TRUE(writer.has_any(Table::watches, "a/").value());
    EXPECT_FALSE(writer.has_any(Table::watches, "b/").value());
    EXPECT_FALSE(writer.has_any(Table::tasks, "").value());
    AKIN_CHECK(writer.put(Table::watches, "b/1", ""));
    EXPECT_TRUE(writer.has_any(Table::watches, "b/").value());
    AKIN_CHECK(writer.erase(Table::watches, "a/1"));
    EXPECT_FALSE(writer.has_any(Table::watches, "a/").value());
    return {};
  });
  EXPECT_TRUE(written.has_value());
}

TEST_F(StateTest, ListsAnyBytesInTheirOrder) {
  const std::vector<std::string> names = {std::string(1, '\0'), "a", "a\x7f", "a\x80",   "a\xff",
                                          "a\xff\xff",          "b", "\xff",  "\xff\xff"};
  for (const std::string& name : names) ASSERT_TRUE(state_->put(Table::watches, name, name).has_value());
  EXPECT_EQ(keys("", "", SIZE_MAX), names);
  EXPECT_THAT(keys("a\xff", "", 10), ElementsAre("a\xff", "a\xff\xff"));
  EXPECT_THAT(keys("\xff", "\xff", 10), ElementsAre("\xff\xff"));
  EXPECT_THAT(keys("a", "a\x80", 1), ElementsAre("a\xff"));
  EXPECT_THAT(keys("a", "b", 10), ElementsAre());
  EXPECT_THAT(keys("", "", 0), ElementsAre());
}

TEST_F(StateTest, KeysHaveUpTo511Bytes) {
  const std::string longest(511, 'k');
  ASSERT_TRUE(state_->put(Table::watches, longest, "v").has_value());
  EXPECT_EQ(state_->get(Table::watches, longest).value(), "v");
  EXPECT_EQ(state_->put(Table::watches, longest + "k", "v").error().code, Errc::invalid_argument);
}

TEST_F(StateTest, ValuesAreAnyBytes) {
  std::string value(300'000, '\0');
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(i * 31);
  ASSERT_TRUE(state_->put(Table::watches, "v", value).has_value());
  EXPECT_EQ(state_->get(Table::watches, "v").value(), value);
  ASSERT_TRUE(state_->put(Table::watches, "v", "").has_value());
  EXPECT_EQ(state_->get(Table::watches, "v").value(), "");
}

TEST_F(StateTest, ErasesAllThatBeginAlike) {
  for (const char* name : {"a", "b", "b\xff", "b\xff\xff", "c"})
    ASSERT_TRUE(state_->put(Table::watches, name, "").has_value());
  ASSERT_TRUE(state_->put(Table::events, "b", "").has_value());
  ASSERT_TRUE(state_->erase_all(Table::watches, "b").has_value());
  EXPECT_THAT(keys("", "", 10), ElementsAre("a", "c"));
  ASSERT_TRUE(state_->erase_all(Table::watches, "").has_value());
  EXPECT_EQ(state_->count(Table::watches).value(), 0U);
  EXPECT_EQ(state_->count(Table::events).value(), 1U);
}

TEST_F(StateTest, ListsBackwardsFromAnyKey) {
  const auto keys = [&](std::string_view before, std::size_t limit) {
    std::string all;
    for (const Entry& entry : state_->list_back(Table::tasks, before, limit).value())
      all += entry.key + entry.value + " ";
    return all;
  };
  EXPECT_EQ(keys("", 5), "");
  for (const char* key : {"a", "b", "d"}) ASSERT_TRUE(state_->put(Table::tasks, key, "1").has_value());
  ASSERT_TRUE(state_->put(Table::watches, "z", "2").has_value());
  EXPECT_EQ(keys("", 5), "d1 b1 a1 ");
  EXPECT_EQ(keys("", 2), "d1 b1 ");
  EXPECT_EQ(keys("d", 5), "b1 a1 ");
  EXPECT_EQ(keys("c", 1), "b1 ");
  EXPECT_EQ(keys("z", 1), "d1 ");
  EXPECT_EQ(keys("a", 5), "");
}

TEST_F(StateTest, WriterSeesItsOwnChanges) {
  ASSERT_TRUE(state_->put(Table::tasks, "old", "1").has_value());
  const auto written = state_->write([](Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(Table::tasks, "new", "2"));
    EXPECT_EQ(writer.get(Table::tasks, "new").value(), "2");
    EXPECT_TRUE(writer.erase(Table::tasks, "old").value());
    EXPECT_EQ(writer.get(Table::tasks, "old").value(), std::nullopt);
    EXPECT_FALSE(writer.erase(Table::tasks, "old").value());
    EXPECT_TRUE(writer.erase(Table::tasks, "new").value());
    return writer.put(Table::tasks, "new", "3");
  });
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(state_->get(Table::tasks, "new").value(), "3");
  EXPECT_EQ(state_->count(Table::tasks).value(), 1U);
}

TEST_F(StateTest, FailedBodyLeavesNothing) {
  const auto failed = state_->write([](Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(Table::tasks, "t", "1"));
    return Error{Errc::busy, "a", "b", "c"};
  });
  EXPECT_EQ(failed.error().code, Errc::busy);
  EXPECT_EQ(state_->get(Table::tasks, "t").value(), std::nullopt);
}

TEST_F(StateTest, WritersFollowOneAnother) {
  constexpr int kThreads = 8, kTimes = 25;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this] {
      for (int n = 0; n < kTimes; ++n) {
        const auto counted = state_->write([](Writer& writer) -> Result<void> {
          AKIN_TRY(const auto before, writer.get(Table::cursors, "count"));
          return writer.put(Table::cursors, "count", std::to_string(std::stoi(before.value_or("0")) + 1));
        });
        EXPECT_TRUE(counted.has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(state_->get(Table::cursors, "count").value(), std::to_string(kThreads * kTimes));
}

TEST_F(StateTest, HoldIsForOneAtATime) {
  auto first = state_->try_lease("a").value();
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->check().has_value());
  EXPECT_EQ(state_->try_lease("a").value(), nullptr);
  EXPECT_NE(state_->try_lease("b").value(), nullptr);
  EXPECT_EQ(state_->lease("a", std::chrono::milliseconds(20), "a test").error().code, Errc::busy);
  first.reset();
  EXPECT_NE(state_->try_lease("a").value(), nullptr);
}

TEST_F(StateTest, WhoWaitsForAHoldGetsItWhenItEnds) {
  std::atomic<int> inside = 0, most = 0, failed = 0;
  std::vector<std::thread> threads;
  threads.reserve(6);
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const auto held = state_->lease("a", std::chrono::seconds(30), "a test");
      if (held.has_error()) {
        ++failed;
        return;
      }
      most = std::max(most.load(), ++inside);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --inside;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(failed, 0);
}

/// A removal that finds the disk full so many times.
struct Removal {
  int full = 0, tries = 0;
  Result<void> operator()() {
    if (tries++ < full) return Error{Errc::disk_full, "disk", "is full", ""};
    return {};
  }
};

TEST(LmdbState, GivesUpItsReserveForARemovalOnAFullDisk) {
  const test::TemporaryFolder data;
  const auto state = State::open(data.path()).value();
  const std::filesystem::path reserve = data.path() / "state" / "reserve";
  EXPECT_EQ(std::filesystem::file_size(reserve), std::uintmax_t{1} << 20U);
  Removal none{.full = 0};
  EXPECT_TRUE(remove_for_room(state.get(), std::ref(none)).has_value());
  EXPECT_TRUE(std::filesystem::exists(reserve));
  Removal once{.full = 1};
  EXPECT_TRUE(remove_for_room(state.get(), std::ref(once)).has_value());
  EXPECT_EQ(once.tries, 2);
  EXPECT_FALSE(std::filesystem::exists(reserve));
  Removal again{.full = 1};
  EXPECT_EQ(remove_for_room(state.get(), std::ref(again)).error().code, Errc::disk_full);
  EXPECT_EQ(again.tries, 1);
  ASSERT_TRUE(state->put(Table::tasks, "t", "1").has_value());
  EXPECT_TRUE(std::filesystem::exists(reserve)) << "the first write that finds room keeps it again";
}

TEST(LmdbState, CanBeReadByItsOwnerAlone) {
  using std::filesystem::perms;
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "state" / "data.mdb";
  const auto open = [&] { return State::open(folder.path()).value(); };
  open();
  EXPECT_EQ(std::filesystem::status(file).permissions(), perms::owner_read | perms::owner_write);
  std::filesystem::permissions(file, perms::owner_read | perms::owner_write | perms::others_read);
  open();
  EXPECT_EQ(std::filesystem::status(file).permissions(), perms::owner_read | perms::owner_write);
}

}  // namespace
}  // namespace akin::state
