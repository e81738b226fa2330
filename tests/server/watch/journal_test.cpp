#include "server/watch/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/watch/leadership.h"
#include "tests/server/state/state_place.h"

namespace akin::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::chrono::hours kLong{1'000};

class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override { put("w"); }

  Watch put(const std::string& name) {
    return journal_
        .put_watch("books", name, "text of " + name, Revision(100),
                   [&](const std::optional<Watch>& former) {
                     Watch watch;
                     watch.collection = "books";
                     watch.name = name;
                     watch.version = former ? former->version + 1 : 1;
                     watch.after = Revision(100);
                     return watch;
                   })
        .value()
        .watch;
  }
  static Event event(const std::string& document, const std::string& watch = "w") {
    Event event;
    event.collection = "books";
    event.watch = watch;
    event.document = document;
    event.id = event_id(event);
    event.created = time_now();
    return event;
  }
  Step step(std::uint64_t from, std::uint64_t to, std::vector<Event> events) {
    return {.collection = "books",
            .watches_number = journal_.watches_number("books").value(),
            .from = Revision(from),
            .position = Revision(to),
            .caught_up = {},
            .all_caught_up = false,
            .events = std::move(events)};
  }
  bool take(Step step) { return journal_.take(step).value(); }
  std::vector<std::string> documents(const std::string& watch = "", std::uint64_t after = 0) {
    std::vector<std::string> found;
    for (const Event& one : journal_.list_events("books", watch, after, 100).value().events)
      found.push_back(one.document);
    return found;
  }

  test::StatePlace place_;
  std::shared_ptr<state::State> state_ = place_.open();
  Journal journal_{state_};
};

TEST_F(JournalTest, StepOfAFormerTurnIsNotTaken) {
  const std::uint64_t at = journal_.progress("books").value().position.value;
  Step former = step(at, at + 5, {});
  former.term = journal_.begin_term().value();
  Step present = step(at, at + 7, {});
  present.term = journal_.begin_term().value();
  EXPECT_FALSE(take(former));
  EXPECT_TRUE(take(present));
}

TEST_F(JournalTest, OneServerLeadsAtATime) {
  Leadership first(std::make_shared<Journal>(state_)), second(std::make_shared<Journal>(state_));
  ASSERT_TRUE(first.keep());
  EXPECT_TRUE(first.keep());
  EXPECT_FALSE(second.keep());
  EXPECT_EQ(second.term(), 0U);
  {
    Leadership third(std::make_shared<Journal>(state_));
    EXPECT_FALSE(third.keep());
  }
  EXPECT_EQ(first.term(), 1U);
}

TEST_F(JournalTest, NextLeaderBeginsTheNextTerm) {
  auto first = std::make_unique<Leadership>(std::make_shared<Journal>(state_));
  Leadership second(std::make_shared<Journal>(state_));
  ASSERT_TRUE(first->keep());
  ASSERT_FALSE(second.keep());
  first.reset();
  ASSERT_TRUE(second.keep());
  EXPECT_EQ(second.term(), 2U);
}

TEST_F(JournalTest, WatchIsKeptWholeButItsTextApart) {
  Watch watch = put("w");
  EXPECT_EQ(encode_watch(*journal_.find_watch("books", "w").value()), encode_watch(watch));
  EXPECT_EQ(journal_.text("books", "w").value(), "text of w");
}

TEST_F(JournalTest, BrokenBytesAreAnError) {
  for (const char* stored : {"", "{", "[]", "{}", R"({"collection":7})", "\xff"}) {
    EXPECT_EQ(decode_watch(stored).error().code, Errc::corrupt);
    EXPECT_EQ(decode_event(stored).error().code, Errc::corrupt);
  }
}

TEST_F(JournalTest, EventIsKeptWhole) {
  Event whole = event("d");
  whole.title = "Title";
  whole.revision = Revision(7);
  whole.overlap = {3, 4, 5};
  whole.passages = {{{1, 2}, {3, 4}, 5}, {{6, 7}, {8, 9}, 1}};
  whole.places = {{.first_page = 3, .last_page = 4, .part = {}}, {.part = "Chapter"}};
  whole.passages_total = 9;
  whole.delivery = {DeliveryState::pending, 2, "why", time_now()};
  const Json object = event_object(decode_event(encode_event(whole)).value());
  EXPECT_EQ(object, event_object(whole));
  EXPECT_EQ(object["passages"][0]["b_pages"], Json::array({3, 4}));
  EXPECT_EQ(object["passages"][1]["b_part"], "Chapter");
}

TEST_F(JournalTest, FollowingBeginsAtThePresent) {
  EXPECT_EQ(journal_.progress("books").value().position, Revision(100));
  EXPECT_THAT(journal_.followed().value(), ElementsAre("books"));
}

TEST_F(JournalTest, StepsEventsGetSequencesInTheirOrder) {
  EXPECT_TRUE(take(step(100, 110, {event("b"), event("a")})));
  EXPECT_TRUE(take(step(110, 120, {event("c")})));
  EXPECT_THAT(documents(), ElementsAre("b", "a", "c"));
  EXPECT_THAT(documents("", 1), ElementsAre("a", "c"));
  EXPECT_EQ(journal_.list_events("books", "", 0, 2).value().total, 3U);
  EXPECT_TRUE(journal_.list_events("books", "", 0, 2).value().more);
}

TEST_F(JournalTest, StepThatWasOvertakenWritesNothing) {
  const Step late = step(100, 110, {event("a")});
  EXPECT_TRUE(take(step(100, 110, {event("a")})));
  EXPECT_FALSE(take(late));
  EXPECT_THAT(documents(), ElementsAre("a"));
}

TEST_F(JournalTest, StepWithOldWatchesWritesNothing) {
  const Step late = step(100, 110, {event("a")});
  put("w2");
  EXPECT_FALSE(take(late));
  EXPECT_THAT(documents(), IsEmpty());
  EXPECT_EQ(journal_.progress("books").value().position, Revision(100));
}

TEST_F(JournalTest, EventsAreListedByWatch) {
  take(step(100, 110, {event("a", "w"), event("a", "w2"), event("b", "w")}));
  EXPECT_THAT(documents("w"), ElementsAre("a", "b"));
  EXPECT_EQ(journal_.list_events("books", "w", 0, 10).value().total, 2U);
  EXPECT_EQ(journal_.list_events("books", "w2", 0, 10).value().total, 1U);
  EXPECT_EQ(journal_.list_events("books", "none", 0, 10).value().total, 0U);
}

TEST_F(JournalTest, EventIsFoundByItsId) {
  take(step(100, 110, {event("a"), event("b")}));
  EXPECT_EQ(journal_.find_event(event("b").id).value()->sequence, 2U);
  EXPECT_EQ(journal_.find_event("evt_none").value(), std::nullopt);
}

TEST_F(JournalTest, OnlyPendingEventsArePending) {
  Event waiting = event("a");
  waiting.delivery.state = DeliveryState::pending;
  take(step(100, 110, {waiting, event("b")}));
  EXPECT_THAT(journal_.pending(std::nullopt, 10).value(), ElementsAre(Journal::Place("books", 1)));
  EXPECT_THAT(journal_.pending(Journal::Place("books", 1), 10).value(), IsEmpty());
  Delivery delivered;
  delivered.state = DeliveryState::delivered;
  ASSERT_TRUE(journal_.set_delivery({"books", 1}, delivered).has_value());
  EXPECT_THAT(journal_.pending(std::nullopt, 10).value(), IsEmpty());
}

TEST_F(JournalTest, OldestOverTheNumberAreForgottenAndMissedIsTold) {
  take(step(100, 110, {event("a"), event("b"), event("c")}));
  EXPECT_EQ(journal_.trim("books", {.events = 2, .age = kLong}, time_now()).value(), 1U);
  EXPECT_THAT(documents(), ElementsAre("b", "c"));
  const EventPage page = journal_.list_events("books", "w", 0, 10).value();
  EXPECT_EQ(page.total, 2U);
  EXPECT_EQ(page.first_kept, 2U);
  EXPECT_EQ(journal_.find_event(event("a").id).value(), std::nullopt);
  EXPECT_EQ(journal_.trim("books", {.events = 2, .age = kLong}, time_now()).value(), 0U);
}

TEST_F(JournalTest, EventsOverTheAgeAreForgotten) {
  Event old = event("a");
  old.created -= std::chrono::hours(2);
  take(step(100, 110, {old, event("b")}));
  EXPECT_EQ(journal_.trim("books", {.events = 10, .age = std::chrono::hours(1)}, time_now()).value(), 1U);
  EXPECT_THAT(documents(), ElementsAre("b"));
}

TEST_F(JournalTest, TheTimeOfEventsDoesNotJumpWithTheClock) {
  const Time year_ago = time_now() - std::chrono::days(365);
  const std::string lived = std::to_string(year_ago.time_since_epoch().count()) + " 0 another-start";
  ASSERT_TRUE(state_->put(state::Table::clock, "lived", lived).has_value());
  EXPECT_EQ(journal_.lived_time().value(), year_ago);
}

TEST_F(JournalTest, SequencesAreNotGivenOutAgain) {
  take(step(100, 110, {event("a")}));
  journal_.trim("books", {.events = 0, .age = kLong}, time_now()).value();
  take(step(110, 120, {event("b")}));
  const EventPage page = journal_.list_events("books", "", 0, 10).value();
  EXPECT_EQ(page.events.at(0).sequence, 2U);
}

TEST_F(JournalTest, ForgottenCollectionLeavesNothing) {
  Event waiting = event("a");
  waiting.delivery.state = DeliveryState::pending;
  take(step(100, 110, {waiting}));
  ASSERT_TRUE(journal_.forget("books").has_value());
  for (std::size_t table = 0; table < state::kTables; ++table)
    EXPECT_EQ(state_->count(state::Table(table)).value(), 0U) << table;
}

TEST_F(JournalTest, RemovedWatchLeavesItsEvents) {
  take(step(100, 110, {event("a")}));
  EXPECT_TRUE(journal_.remove_watch("books", "w").value());
  EXPECT_EQ(journal_.find_watch("books", "w").value(), std::nullopt);
  EXPECT_THAT(documents("w"), ElementsAre("a"));
}

TEST_F(JournalTest, WatchThatWasReplacedIsNotDisabled) {
  const Watch former = put("w");
  put("w");
  ASSERT_TRUE(journal_.disable_watch(former, "gone").has_value());
  EXPECT_TRUE(journal_.find_watch("books", "w").value()->enabled);
}

}  // namespace
}  // namespace akin::watch
