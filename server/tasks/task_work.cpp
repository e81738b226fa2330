// How tasks run: on threads of their own, each task on the first server that claims it.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "server/json/quoted.h"
#include "server/tasks/task_execution.h"
#include "server/tasks/task_record.h"

namespace akin::tasks {

namespace {

/// Clients whose turns are remembered.
constexpr std::size_t kMostServed = 10'000;

std::string lease_of(const std::string& id) { return "task/" + id; }

}  // namespace

class Tasks::Context final : public TaskContext {
 public:
  Context(Tasks& tasks, Execution& run) : run_(run), mutex_(tasks.mutex_), table_(tasks.table_) {}

  std::stop_token stop() const override { return run_.stop.get_token(); }
  void progress(double share) override {
    const std::lock_guard lock(mutex_);
    run_.info.progress = std::clamp(share, run_.info.progress, 1.0);
  }
  void counts(const TaskCounts& counts) override {
    const std::lock_guard lock(mutex_);
    run_.info.counts = counts;
  }
  void phase(std::string_view name) override {
    const std::lock_guard lock(mutex_);
    run_.info.phase = name;
  }
  Result<void> write(std::string_view line) override { return run_.sink->write(line); }

  Result<bool> end(state::Writer& writer, const Error* failure) override {
    AKIN_TRY(const auto record, writer.get(table_, run_.info.id));
    if (!record) return false;
    AKIN_TRY(TaskInfo task, read_task(run_.info.id, *record));
    const bool counts =
        task.status == TaskStatus::running && task.begun == run_.info.begun && !task.cancelling;
    if (!counts) return false;
    run_.ended = true;
    if (failure == nullptr) return writer.erase(table_, task.id);
    task.status = TaskStatus::failed;
    task.error = *failure;
    task.finished = time_now();
    AKIN_CHECK(writer.put(table_, task.id, write_task(task)));
    return true;
  }

 private:
  Execution& run_;
  std::mutex& mutex_;
  const state::Table table_;
};

/// Sorts tasks, which are in the order of their age, by how many of their client's run, and then by when the
/// client was last served.
void Tasks::put_in_turn(std::vector<TaskInfo>& tasks) const {
  std::map<std::string, std::size_t> running;
  for (const TaskInfo& task : tasks) {
    if (task.status == TaskStatus::running) ++running[task.client];
  }
  const std::lock_guard lock(mutex_);
  std::ranges::stable_sort(tasks, {}, [&](const TaskInfo& task) {
    const auto runs = running.find(task.client);
    const auto served = served_.find(task.client);
    return std::pair(runs == running.end() ? 0 : runs->second, served == served_.end() ? 0 : served->second);
  });
}

/// Queues the tasks that dead servers left running. Returns whether any task waits.
Result<bool> Tasks::recover() {
  AKIN_TRY(const std::vector<TaskInfo> tasks, stored());
  bool waits = false;
  for (const TaskInfo& task : tasks) {
    waits = waits || task.status == TaskStatus::queued;
    if (task.status != TaskStatus::running) continue;
    AKIN_TRY(const auto lease, state_->try_lease(lease_of(task.id)));
    if (lease == nullptr) continue;
    AKIN_CHECK(change(task.id, [&](TaskInfo& left) {
      if (left.status != TaskStatus::running) return false;
      left.status = TaskStatus::queued;
      left.progress = 0;
      left.phase.clear();
      if (left.cancelling) left.status = TaskStatus::cancelled;
      if (!left.cancelling && left.begun >= limits_.begun) left.status = TaskStatus::interrupted;
      if (left.ended()) left.finished = time_now();
      waits = waits || !left.ended();
      return true;
    }));
  }
  return waits;
}

void Tasks::look() {
  {
    const std::lock_guard lock(mutex_);
    ++looks_;
  }
  changed_.notify_all();
}

void Tasks::work_off(const std::stop_token& ended) {
  while (!ended.stop_requested()) {
    std::uint64_t looked = 0;
    {
      const std::lock_guard lock(mutex_);
      looked = looks_;
    }
    // A task that an exception ends outside its work stays `running` without a lease: recover() queues it
    // again.
    const auto worked = without_exceptions([this]() -> Result<bool> {
      AKIN_TRY(const auto run, claim());
      if (run != nullptr) work_on(run);
      return run != nullptr;
    });
    if (worked.has_value() && *worked) continue;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, ended, [&] { return looks_ != looked; });
  }
}

/// Claims the waiting task whose turn it is; null if there is none.
Result<std::shared_ptr<Tasks::Execution>> Tasks::claim() {
  AKIN_TRY(std::vector<TaskInfo> tasks, stored());
  put_in_turn(tasks);
  for (const TaskInfo& task : tasks) {
    const bool takes = kind(task.type) != nullptr || !state_->is_shared();
    if (task.status != TaskStatus::queued || !takes) continue;
    auto run = std::make_shared<Execution>();
    AKIN_TRY(run->lease, state_->try_lease(lease_of(task.id)));
    if (run->lease == nullptr) continue;
    AKIN_TRY(const bool begun, change(task.id, [&](TaskInfo& now) {
               if (now.status != TaskStatus::queued) return false;
               now.status = TaskStatus::running;
               now.started = time_now();
               ++now.begun;
               run->info = now;
               return true;
             }));
    if (!begun) continue;
    const std::lock_guard lock(mutex_);
    if (served_.size() == kMostServed) served_.clear();
    served_.insert_or_assign(task.client, ++starts_);
    return run;
  }
  return std::shared_ptr<Execution>();
}

void Tasks::work_on(const std::shared_ptr<Execution>& run) {
  {
    const std::lock_guard lock(mutex_);
    running_.insert_or_assign(run->info.id, run);
    if (ending_) run->stop.request_stop();
  }
  const Result<std::uint64_t> outcome = without_exceptions([&] { return do_work(*run); });
  static_cast<void>(without_exceptions([&] { return store_outcome(*run, outcome), Result<void>(); }));
  const std::lock_guard lock(mutex_);
  running_.erase(run->info.id);
}

/// Stores the outcome of a run, unless another server has started the task meanwhile.
void Tasks::store_outcome(Execution& run, const Result<std::uint64_t>& outcome) {
  if (run.ended) return results_->discard(run.info.id);
  bool cancelled = false;
  {
    const std::lock_guard lock(mutex_);
    cancelled = run.cancelled;
    // A task that a shutdown stopped stays `running` in the state and is started again.
    if (run.lost || (ending_ && !cancelled)) return;
  }
  bool done = false;
  std::optional<Error> failed;
  const auto written = change(run.info.id, [&](TaskInfo& task) {
    if (task.status != TaskStatus::running || task.begun != run.info.begun) return false;
    done = outcome.has_value() && !cancelled && !task.cancelling;
    task.status = done                           ? TaskStatus::done
                  : cancelled || task.cancelling ? TaskStatus::cancelled
                                                 : TaskStatus::failed;
    task.progress = done ? 1.0 : run.info.progress;
    task.counts = run.info.counts;
    if (task.status == TaskStatus::failed) {
      task.error = outcome.error();
      failed = outcome.error();
    }
    if (done) task.result_lines = *outcome;
    task.finished = time_now();
    return true;
  });
  const bool removed = cancelled && written.has_value() && !*written;
  if (removed || (written.has_value() && *written && !done)) results_->discard(run.info.id);
  note_failure_of(Round::task, written);
  if (!failed) return;
  failed->what = run.info.type + " " + run.info.id + ", " + failed->what;
  note_failure(Round::task, *failed);
}

/// Runs the task. Returns the number of lines in the result.
Result<std::uint64_t> Tasks::do_work(Execution& run) {
  AKIN_TRY(run.sink, results_->make({run.info.id, run.info.begun}, limits_.result_bytes));
  Context context(*this, run);
  const TaskKind* what = kind(run.info.type);
  if (what == nullptr) {
    return Error{Errc::unsupported, "task type " + json::in_quotes(run.info.type),
                 "is not known to this server", "start a task of a known type"};
  }
  AKIN_CHECK(what->work(run.info, context));
  AKIN_CHECK(run.sink->finish());
  return run.sink->lines();
}

/// Checks periodically what other servers have done.
void Tasks::watch(const std::stop_token& ended) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, ended, limits_.poll, [] { return false; });
      if (ended.stop_requested()) return;
    }
    // After an error the next round tries again.
    const auto waits = without_exceptions([this] { return attend_all(), recover(); });
    if (waits.has_value() && *waits) look();
  }
}

void Tasks::attend_all() {
  std::vector<std::shared_ptr<Execution>> runs;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, run] : running_) runs.push_back(run);
  }
  for (const auto& run : runs) attend(*run);
}

/// Stops a run that was cancelled through another server or that this server has lost; stores its progress
/// for the others.
void Tasks::attend(Execution& run) {
  bool cancelled = false;
  bool lost = run.lease->check().has_error();
  const auto task = stored(run.info.id);
  if (task.has_error()) {
    lost = lost || task.error().code == Errc::not_found;
  } else {
    lost = lost || task->begun != run.info.begun;
    cancelled = task->cancelling;
  }
  TaskInfo live;
  {
    const std::lock_guard lock(mutex_);
    run.lost = run.lost || lost;
    run.cancelled = run.cancelled || cancelled;
    if (run.lost || run.cancelled) run.stop.request_stop();
    live = run.info;
  }
  const bool current = task.has_error() || (task->progress == live.progress && task->phase == live.phase);
  if (!state_->is_shared() || run.lost || current) return;
  // If this fails, the next round tries again.
  static_cast<void>(change(live.id, [&](TaskInfo& now) {
    if (now.status != TaskStatus::running || now.begun != live.begun) return false;
    now.phase = live.phase;
    now.progress = live.progress;
    now.counts = live.counts;
    return true;
  }));
}

}  // namespace akin::tasks
