#include "server/tasks/tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <new>
#include <semaphore>

#include "server/tasks/result_lines.h"
#include "server/tasks/task_record.h"
#include "tests/server/api/service_fixture.h"
#include "tests/server/state/state_place.h"
#include "tests/support/failure_warnings.h"
#include "tests/support/sync_log.h"

namespace akin::test {
namespace {

using tasks::ResultLines;
using tasks::TaskContext;
using tasks::TaskInfo;
using tasks::TaskLimits;
using tasks::Tasks;
using tasks::TaskStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TasksOf : public ::testing::Test {
 protected:
  using Work = std::function<Result<void>(tasks::TaskContext&)>;
  /// Works are found by their number: a task is stored as JSON.
  tasks::TaskInfo add(Work work) {
    {
      const std::lock_guard lock(works_mutex_);
      works_.push_back(std::move(work));
    }
    return tasks_->add("test", "books", {{"work", works_.size() - 1}}).value();
  }
  /// A task that works until it is cancelled or `released_`.
  tasks::TaskInfo add_waiting() {
    return add([this](tasks::TaskContext& context) -> Result<void> {
      entered_.release();
      while (!context.stop().stop_requested() && !released_.try_acquire_for(std::chrono::milliseconds(1))) {
      }
      return {};
    });
  }
  tasks::TaskInfo ended(const std::string& id) {
    for (;;) {
      tasks::TaskInfo info = tasks_->find(id).value();
      if (info.finished) return info;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::vector<std::string> ids() {
    std::vector<std::string> result;
    for (const tasks::TaskInfo& info : tasks_->list().value()) result.push_back(info.id);
    return result;
  }
  void open(const tasks::TaskLimits& limits) {
    tasks_.reset();
    tasks_ = server(limits);
  }
  /// A server's tasks.
  std::shared_ptr<tasks::Tasks> server(const tasks::TaskLimits& limits) {
    const auto work = [this](const tasks::TaskInfo& task, tasks::TaskContext& context) {
      Work found;
      {
        const std::lock_guard lock(works_mutex_);
        found = works_.at(task.parameters.at("work").get<std::size_t>());
      }
      return found(context);
    };
    return tasks::Tasks::open(state_, folder_.path() / "tasks", {{"test", work}}, limits).value();
  }
  void SetUp() override { open({.threads = 1}); }

  TemporaryFolder folder_;
  test::StatePlace place_;
  std::shared_ptr<state::State> state_ = place_.open();
  std::mutex works_mutex_;
  std::vector<Work> works_;
  std::counting_semaphore<> entered_{0}, released_{0};
  std::shared_ptr<tasks::Tasks> tasks_;
};

TEST_F(TasksOf, TaskIsQueuedThenRunsThenIsDone) {
  const tasks::TaskInfo queued = add_waiting();
  EXPECT_EQ(queued.status, tasks::TaskStatus::queued);
  EXPECT_FALSE(queued.started);
  entered_.acquire();
  const tasks::TaskInfo running = tasks_->find(queued.id).value();
  EXPECT_EQ(running.status, tasks::TaskStatus::running);
  EXPECT_TRUE(running.started);
  released_.release();
  const tasks::TaskInfo done = ended(queued.id);
  EXPECT_EQ(done.status, tasks::TaskStatus::done);
  EXPECT_EQ(done.progress, 1.0);
  EXPECT_LE(done.created, *done.started);
  EXPECT_LE(*done.started, *done.finished);
}

TEST_F(TasksOf, OneIsAtWorkAtATimeInTheOrderGiven) {
  const tasks::TaskInfo first = add_waiting();
  const tasks::TaskInfo second = add_waiting();
  entered_.acquire();
  EXPECT_EQ(tasks_->find(second.id)->status, tasks::TaskStatus::queued);
  EXPECT_THAT(ids(), ElementsAre(first.id, second.id));
  released_.release(2);
  EXPECT_EQ(ended(second.id).status, tasks::TaskStatus::done);
}

TEST_F(TasksOf, ProgressNeverFalls) {
  const tasks::TaskInfo task = add([this](tasks::TaskContext& context) -> Result<void> {
    context.progress(0.5);
    context.progress(0.25);
    entered_.release();
    released_.acquire();
    return {};
  });
  entered_.acquire();
  EXPECT_EQ(tasks_->find(task.id)->progress, 0.5);
  released_.release();
  ended(task.id);
}

TEST_F(TasksOf, ResultIsReadInPages) {
  const tasks::TaskInfo task = add([](tasks::TaskContext& context) -> Result<void> {
    for (int i = 0; i < 1000; ++i) AKIN_CHECK(context.write("line " + std::to_string(i)));
    return {};
  });
  EXPECT_EQ(ended(task.id).result_lines, 1000U);
  std::string all;
  for (std::uint64_t offset = 0; offset < 1000; offset += 93) {
    all += tasks_->result(task.id, offset, 93).value();
  }
  EXPECT_EQ(all, tasks_->result(task.id, 0, 100'000).value());
  EXPECT_THAT(all, ::testing::StartsWith("line 0\nline 1\n"));
  EXPECT_THAT(all, ::testing::EndsWith("line 998\nline 999\n"));
  EXPECT_EQ(tasks_->result(task.id, 1000, 5).value(), "");
}

TEST_F(TasksOf, ResultOfAnUnfinishedTaskDoesNotExist) {
  const tasks::TaskInfo task = add_waiting();
  EXPECT_EQ(tasks_->result(task.id, 0, 1).error().code, Errc::not_found);
  released_.release();
  EXPECT_EQ(ended(task.id).status, tasks::TaskStatus::done);
}

TEST_F(TasksOf, ErrorOfTheWorkIsTold) {
  const FailureWarnings warnings;
  const std::uint64_t before = failures_of(Round::task);
  const tasks::TaskInfo task = add([](tasks::TaskContext&) -> Result<void> {
    return Error{Errc::corrupt, "a", "b", "c"};
  });
  const tasks::TaskInfo failed = ended(task.id);
  EXPECT_EQ(failed.status, tasks::TaskStatus::failed);
  EXPECT_EQ(failed.error->code, Errc::corrupt);
  while (FailureWarnings::lines().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(failures_of(Round::task), before + 1);
  EXPECT_THAT(FailureWarnings::lines(),
              ElementsAre("background work 'task' failed: " + task.type + " " + task.id + ", a: b (c)"));
  EXPECT_EQ(tasks_->result(task.id, 0, 1).error().code, Errc::not_found);
}

TEST_F(TasksOf, ExceptionOfTheWorkIsAnError) {
  const tasks::TaskInfo memory = add([](tasks::TaskContext&) -> Result<void> { throw std::bad_alloc(); });
  const tasks::TaskInfo other =
      add([](tasks::TaskContext&) -> Result<void> { throw std::runtime_error("surprise"); });
  EXPECT_EQ(ended(memory.id).error->code, Errc::busy);
  EXPECT_THAT(ended(other.id).error->message(), HasSubstr("surprise"));
}

TEST_F(TasksOf, CancelledWhileItWaitsItIsNeverBegun) {
  const tasks::TaskInfo first = add_waiting();
  const tasks::TaskInfo second = add([](tasks::TaskContext&) -> Result<void> {
    ADD_FAILURE() << "was begun";
    return {};
  });
  entered_.acquire();
  EXPECT_EQ((*tasks_->remove(second.id))->status, tasks::TaskStatus::cancelled);
  released_.release();
  EXPECT_EQ(ended(first.id).status, tasks::TaskStatus::done);
  EXPECT_EQ(tasks_->find(second.id)->status, tasks::TaskStatus::cancelled);
}

TEST_F(TasksOf, CancelledAtWorkItStops) {
  const tasks::TaskInfo task = add_waiting();
  entered_.acquire();
  EXPECT_TRUE(tasks_->remove(task.id)->has_value());
  EXPECT_EQ(ended(task.id).status, tasks::TaskStatus::cancelled);
  EXPECT_EQ(tasks_->result(task.id, 0, 1).error().code, Errc::not_found);
}

TEST_F(TasksOf, FinishedAndRemovedItIsForgotten) {
  const tasks::TaskInfo task = add([](tasks::TaskContext&) { return Result<void>(); });
  ended(task.id);
  EXPECT_FALSE(tasks_->remove(task.id)->has_value());
  EXPECT_EQ(tasks_->find(task.id).error().code, Errc::not_found);
  EXPECT_EQ(tasks_->remove(task.id).error().code, Errc::not_found);
  EXPECT_EQ(tasks_->result(task.id, 0, 1).error().code, Errc::not_found);
}

TEST_F(TasksOf, OldestFinishedIsForgottenFirst) {
  open({.threads = 1, .finished = 2});
  const auto nothing = [](tasks::TaskContext&) { return Result<void>(); };
  const tasks::TaskInfo first = add(nothing);
  ended(first.id);
  const tasks::TaskInfo second = add(nothing);
  ended(second.id);
  const tasks::TaskInfo third = add(nothing);
  EXPECT_THAT(ids(), ElementsAre(second.id, third.id));
}

TEST_F(TasksOf, TooManyWaitingAreRefused) {
  open({.threads = 1, .queued = 1});
  const tasks::TaskInfo at_work = add_waiting();
  entered_.acquire();
  const tasks::TaskInfo waiting = add_waiting();
  EXPECT_EQ(tasks_->add("test", "books", {{"work", 0}}).error().code, Errc::busy);
  released_.release(2);
  ended(waiting.id);
}

TEST_F(TasksOf, OneClientLeavesRoomForOthers) {
  open({.threads = 1, .queued = 4});
  const tasks::TaskInfo at_work = add_waiting();
  entered_.acquire();
  const auto add_of = [this](const char* client) {
    return tasks_->add("test", "books", {{"work", 0}}, client);
  };
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(add_of("greedy").has_error());
  EXPECT_THAT(add_of("greedy").error().message(), HasSubstr("3 of this client"));
  EXPECT_FALSE(add_of("modest").has_error());
  EXPECT_THAT(add_of("third").error().message(), HasSubstr("4 are already waiting"));
  released_.release(5);
}

TEST_F(TasksOf, ClientWithTheFewestRunningComesFirst) {
  open({.threads = 2});
  const tasks::TaskInfo first = add_waiting();
  entered_.acquire();
  const auto add_of = [this](const char* client) {
    return tasks_->add("test", "books", {{"work", 0}}, client).value();
  };
  const tasks::TaskInfo second = add_of("greedy");
  entered_.acquire();
  const tasks::TaskInfo third = add_of("greedy");
  const tasks::TaskInfo other = add_of("modest");
  ASSERT_TRUE(tasks_->remove(first.id).has_value());
  ended(first.id);
  entered_.acquire();
  EXPECT_EQ(tasks_->find(other.id)->status, tasks::TaskStatus::running);
  EXPECT_EQ(tasks_->find(third.id)->status, tasks::TaskStatus::queued);
  released_.release(3);
}

TEST_F(TasksOf, ClientsTakeTurns) {
  const tasks::TaskInfo first = add_waiting();
  entered_.acquire();
  {
    const std::lock_guard lock(works_mutex_);
    works_.emplace_back([](tasks::TaskContext&) { return Result<void>(); });
  }
  std::vector<std::string> ids;
  for (const char* client : {"a", "a", "a", "b", "b", "c"})
    ids.push_back(tasks_->add("test", "books", {{"work", 1}}, client)->id);
  released_.release();
  std::vector<tasks::TaskInfo> order;
  for (const std::string& id : ids) order.push_back(ended(id));
  std::ranges::sort(order, {}, &tasks::TaskInfo::started);
  std::string clients;
  for (const tasks::TaskInfo& task : order) clients += task.client;
  EXPECT_EQ(clients, "abcaba");
}

TEST_F(TasksOf, WorkThatEndsItsTaskInAWriteLeavesWhatItWrote) {
  const tasks::TaskInfo task = add([this](tasks::TaskContext& context) {
    return state_->write([&](state::Writer& writer) -> Result<void> {
      AKIN_TRY(const bool counts, context.end(writer, nullptr));
      return counts ? writer.put(state::Table::policies, "made", "") : Result<void>();
    });
  });
  while (tasks_->find(task.id).has_value()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(state_->get(state::Table::policies, "made")->has_value());
}

TEST_F(TasksOf, ATaskThatItsWorkFailsInAWriteIsFailed) {
  const tasks::TaskInfo task = add([this](tasks::TaskContext& context) {
    const Error failure{Errc::file_damaged, "file", "is damaged", ""};
    return state_->write([&](state::Writer& writer) -> Result<void> {
      AKIN_TRY([[maybe_unused]] const bool counts, context.end(writer, &failure));
      return {};
    });
  });
  const tasks::TaskInfo failed = ended(task.id);
  EXPECT_EQ(failed.status, TaskStatus::failed);
  EXPECT_EQ(failed.error->code, Errc::file_damaged);
}

TEST_F(TasksOf, DiscardedAtWorkItsWriteDoesNotCount) {
  std::atomic<bool> counted = true;
  const tasks::TaskInfo task = add([&](tasks::TaskContext& context) -> Result<void> {
    entered_.release();
    while (!context.stop().stop_requested()) std::this_thread::yield();
    const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
      AKIN_TRY(counted, context.end(writer, nullptr));
      return {};
    });
    released_.release();
    return written;
  });
  entered_.acquire();
  const auto with = [](state::Writer& writer) { return writer.put(state::Table::policies, "gone", ""); };
  EXPECT_TRUE(tasks_->discard(task.id, with).has_value());
  released_.acquire();
  EXPECT_FALSE(counted);
  EXPECT_TRUE(state_->get(state::Table::policies, "gone")->has_value());
  EXPECT_EQ(tasks_->find(task.id).error().code, Errc::not_found);
  EXPECT_EQ(tasks_->discard(task.id, with).error().code, Errc::not_found);
}

TEST_F(TasksOf, ResultOverItsLimitFailsTheTask) {
  open({.threads = 1, .result_bytes = 100});
  const tasks::TaskInfo task = add([](tasks::TaskContext& context) -> Result<void> {
    for (int i = 0; i < 11; ++i) AKIN_CHECK(context.write("123456789"));
    return {};
  });
  EXPECT_EQ(ended(task.id).error->code, Errc::too_large);
}

TEST_F(TasksOf, UnknownTypeIsRefused) {
  EXPECT_EQ(tasks_->add("other", "books", api::Json::object()).error().code, Errc::not_found);
}

TEST_F(TasksOf, EndStopsTheTaskAtWork) {
  add_waiting();
  entered_.acquire();
  tasks_.reset();
}

TEST_F(TasksOf, AfterARestartTheyGoOnInTheirOrder) {
  const tasks::TaskInfo at_work = add_waiting();
  const tasks::TaskInfo waiting = add_waiting();
  entered_.acquire();
  open({.threads = 1});
  EXPECT_THAT(ids(), ElementsAre(at_work.id, waiting.id));
  entered_.acquire();
  EXPECT_EQ(tasks_->find(waiting.id)->status, tasks::TaskStatus::queued);
  released_.release(2);
  EXPECT_EQ(ended(at_work.id).status, tasks::TaskStatus::done);
  EXPECT_EQ(ended(at_work.id).begun, 2U);
  EXPECT_EQ(ended(waiting.id).begun, 1U);
}

TEST_F(TasksOf, BegunTooOftenItIsInterrupted) {
  const tasks::TaskInfo task = add_waiting();
  entered_.acquire();
  open({.threads = 1, .begun = 1});
  EXPECT_EQ(tasks_->find(task.id)->status, tasks::TaskStatus::interrupted);
}

TEST_F(TasksOf, AnotherServerLeavesWhatIsAtWork) {
  const tasks::TaskInfo task = add_waiting();
  entered_.acquire();
  const auto other = server({.threads = 1, .poll = std::chrono::milliseconds(5)});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(other->find(task.id)->status, tasks::TaskStatus::running);
  EXPECT_EQ(other->find(task.id)->begun, 1U);
  released_.release();
  EXPECT_EQ(ended(task.id).status, tasks::TaskStatus::done);
  EXPECT_EQ(other->find(task.id)->begun, 1U);
}

TEST_F(TasksOf, AnotherServerTakesOverWhatADeadOneLeft) {
  const tasks::TaskInfo task = add_waiting();
  entered_.acquire();
  const auto other = server({.threads = 1, .poll = std::chrono::milliseconds(5)});
  tasks_.reset();
  entered_.acquire();  // by the other
  released_.release();
  tasks_ = other;
  EXPECT_EQ(ended(task.id).status, tasks::TaskStatus::done);
  EXPECT_EQ(ended(task.id).begun, 2U);
}

TEST_F(TasksOf, AnotherServersTaskIsNotEndedByTheOneThatHasLostIt) {
  open({.threads = 1, .poll = std::chrono::hours(1)});
  const TaskInfo task = add_waiting();
  entered_.acquire();
  TaskInfo taken = tasks_->find(task.id).value();
  ++taken.begun;
  ASSERT_TRUE(state_->put(state::Table::tasks, task.id, tasks::write_task(taken)).has_value());
  add_waiting();
  released_.release();
  entered_.acquire();  // by the next one: the first has ended here
  EXPECT_EQ(tasks_->find(task.id)->status, TaskStatus::running);
  EXPECT_EQ(tasks_->find(task.id)->begun, 2U);
  released_.release();
}

TEST_F(TasksOf, AnotherServerCancelsWhatIsAtWork) {
  open({.threads = 1, .poll = std::chrono::milliseconds(5)});
  const tasks::TaskInfo task = add_waiting();
  entered_.acquire();
  const auto other = server({.threads = 1});
  EXPECT_EQ((*other->remove(task.id))->status, tasks::TaskStatus::running);
  EXPECT_EQ(ended(task.id).status, tasks::TaskStatus::cancelled);
}

TEST_F(TasksOf, AnotherServerDoesWhatWaits) {
  const auto other = server({.threads = 1, .poll = std::chrono::milliseconds(5)});
  const tasks::TaskInfo first = add_waiting();
  const tasks::TaskInfo second = add_waiting();
  entered_.acquire();
  entered_.acquire();
  EXPECT_EQ(tasks_->find(first.id)->status, tasks::TaskStatus::running);
  EXPECT_EQ(other->find(second.id)->status, tasks::TaskStatus::running);
  released_.release(2);
  EXPECT_EQ(ended(first.id).status, tasks::TaskStatus::done);
  EXPECT_EQ(ended(second.id).status, tasks::TaskStatus::done);
}

TEST_F(TasksOf, CancelledWhileItsServerDiesItIsNotBegunAgain) {
  const tasks::TaskInfo task = add_waiting();
  entered_.acquire();
  {
    // As if the server had died before it could notice.
    tasks::TaskInfo left = tasks_->find(task.id).value();
    left.cancelling = true;
    tasks_.reset();
    ASSERT_TRUE(state_->put(state::Table::tasks, task.id, tasks::write_task(left)).has_value());
  }
  open({.threads = 1});
  EXPECT_EQ(tasks_->find(task.id)->status, tasks::TaskStatus::cancelled);
}

TEST_F(TasksOf, ResultSurvivesARestart) {
  const tasks::TaskInfo task = add([](tasks::TaskContext& context) -> Result<void> {
    for (int i = 0; i < 1000; ++i) AKIN_CHECK(context.write("line " + std::to_string(i)));
    return {};
  });
  ended(task.id);
  open({.threads = 1});
  EXPECT_EQ(tasks_->find(task.id)->result_lines, 1000U);
  EXPECT_EQ(tasks_->result(task.id, 998, 5).value(), "line 998\nline 999\n");
}

TEST_F(TasksOf, ErrorSurvivesARestart) {
  const tasks::TaskInfo task = add([](tasks::TaskContext&) -> Result<void> {
    return Error{Errc::corrupt, "a", "b", "c"};
  });
  ended(task.id);
  open({.threads = 1});
  EXPECT_EQ(tasks_->find(task.id)->error->code, Errc::corrupt);
  EXPECT_EQ(tasks_->find(task.id)->error->message(), "a: b (c)");
}

TEST_F(TasksOf, OldAreForgotten) {
  const tasks::TaskInfo task = add([](tasks::TaskContext&) { return Result<void>(); });
  ended(task.id);
  open({.threads = 1, .age = std::chrono::hours(0)});
  EXPECT_EQ(tasks_->find(task.id).error().code, Errc::not_found);
}

TEST_F(TasksOf, AreNotOldForAClockThatJumped) {
  const tasks::TaskInfo task = add([](tasks::TaskContext&) { return Result<void>(); });
  ended(task.id);
  // As if the clock stood a year ahead of the time that was lived through.
  const Time lived = time_now() - std::chrono::days(365);
  EXPECT_TRUE(state_
                  ->put(state::Table::clock, "lived",
                        std::to_string(lived.time_since_epoch().count()) + " 0 another-start")
                  .has_value());
  open({.threads = 1, .age = std::chrono::hours(0)});
  EXPECT_TRUE(tasks_->find(task.id).has_value());
}

TEST_F(TasksOf, ForgottenTheyLeaveNothing) {
  const tasks::TaskInfo task = add([](tasks::TaskContext& context) { return context.write("line"); });
  ended(task.id);
  ASSERT_TRUE(tasks_->remove(task.id).has_value());
  if (test::is_lmdb()) {
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "tasks"));
  }
  EXPECT_EQ(state_->count(state::Table::tasks).value(), 0U);
  EXPECT_EQ(state_->count(state::Table::task_results).value(), 0U);
}

TEST_F(TasksOf, FinishedTheyKeepNoFileOpen) {
  AKIN_SKIP_UNLESS_LMDB();
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = open_files();
  for (int number = 0; number < 5; ++number) {
    const tasks::TaskInfo task = add([](tasks::TaskContext& context) { return context.write("{}"); });
    ended(task.id);
    EXPECT_EQ(tasks_->result(task.id, 0, 10).value(), "{}\n");
  }
  EXPECT_EQ(open_files(), before);
}

TEST_F(TasksOf, FilesOfNoTaskAreRemovedAtTheStart) {
  AKIN_SKIP_UNLESS_LMDB();
  std::ofstream(folder_.path() / "tasks" / "task-0000000000000000.ndjson.part") << "half a li";
  open({.threads = 1});
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "tasks"));
}

TEST(ResultsInStateOf, EveryPageIsThatOfTheWhole) {
  const TemporaryFolder folder;
  const auto state = state::State::open(folder.path()).value();
  const auto results = tasks::results_in_state(state);
  const auto sink = results->make({"t", 2}, 1 << 30).value();
  std::vector<std::string> written;
  for (int i = 0; i < 5000; ++i) {  // some blocks
    written.push_back(std::string(static_cast<std::size_t>(i % 400), 'x') + std::to_string(i));
    ASSERT_TRUE(sink->write(written.back()).has_value());
  }
  ASSERT_TRUE(sink->finish().has_value());
  EXPECT_EQ(sink->lines(), 5000U);
  ASSERT_GT(state->count(state::Table::task_results).value(), 2U);
  for (std::uint64_t offset = 0; offset < 5002; offset += 131) {
    for (const std::uint64_t limit : {0U, 1U, 999U, 10000U}) {
      std::string expected;
      for (std::uint64_t i = offset; i < std::min<std::uint64_t>(offset + limit, 5000); ++i) {
        expected += written[i] + "\n";
      }
      ASSERT_EQ(results->page({"t", 2}, offset, limit).value(), expected) << offset << " " << limit;
    }
  }
  EXPECT_EQ(results->page({"t", 1}, 0, 10).value(), "");
  results->discard("t");
  EXPECT_EQ(state->count(state::Table::task_results).value(), 0U);
}

TEST(ResultsInStateOf, ResultOverItsLimitIsRefused) {
  const TemporaryFolder folder;
  const auto results = tasks::results_in_state(state::State::open(folder.path()).value());
  const auto sink = results->make({"t", 1}, 20).value();
  ASSERT_TRUE(sink->write("123456789").has_value());
  ASSERT_TRUE(sink->write("123456789").has_value());
  EXPECT_EQ(sink->write("").error().code, Errc::too_large);
}

TEST(ResultLinesOf, EveryPageOfEveryLengthIsThatOfTheWhole) {
  const TemporaryFolder folder;
  tasks::ResultLines lines = tasks::ResultLines::make(folder.path(), "t", 1 << 20).value();
  std::vector<std::string> written;
  for (int i = 0; i < 700; ++i) {
    written.push_back(std::string(static_cast<std::size_t>(i % 5), 'x') + std::to_string(i));
    ASSERT_TRUE(lines.write(written.back()).has_value());
  }
  ASSERT_TRUE(lines.finish().has_value());
  for (std::uint64_t offset = 0; offset < 702; offset += 13) {
    for (const std::uint64_t limit : {0U, 1U, 255U, 256U, 257U, 1000U}) {
      std::string expected;
      for (std::uint64_t i = offset; i < std::min<std::uint64_t>(offset + limit, 700); ++i) {
        expected += written[i] + "\n";
      }
      ASSERT_EQ(lines.page(offset, limit).value(), expected) << offset << " " << limit;
    }
  }
}

TEST(ResultLinesOf, AreOnTheDiskBeforeTheyHaveTheirName) {
  const TemporaryFolder folder;
  const SyncLog log(folder.path());
  ResultLines lines = ResultLines::make(folder.path(), "t", 1 << 20).value();
  ASSERT_TRUE(lines.write("line").has_value());
  ASSERT_TRUE(lines.finish().has_value());
  EXPECT_THAT(SyncLog::events(),
              ElementsAre("write t.ndjson.part", "sync t.ndjson.part", "name t.ndjson", "sync ."));
}

}  // namespace
}  // namespace akin::test
