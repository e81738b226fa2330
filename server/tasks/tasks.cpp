#include "server/tasks/tasks.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "server/json/quoted.h"
#include "server/state/lived_time.h"
#include "server/tasks/task_execution.h"
#include "server/tasks/task_record.h"

namespace akin::tasks {

std::string_view status_name(TaskStatus status) noexcept {
  switch (status) {
    case TaskStatus::queued:
      return "queued";
    case TaskStatus::running:
      return "running";
    case TaskStatus::done:
      return "done";
    case TaskStatus::failed:
      return "failed";
    case TaskStatus::cancelled:
      return "cancelled";
    case TaskStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

Error no_task(std::string_view id) {
  return Error{Errc::not_found, "task " + json::in_quotes(id), "there is none with this id",
               "GET /v1/tasks lists the tasks"};
}

Tasks::Tasks(std::shared_ptr<state::State> state, std::unique_ptr<TaskResults> results,
             std::vector<TaskKind> kinds, const TaskLimits& limits, state::Table table)
    : state_(std::move(state)),
      results_(std::move(results)),
      kinds_(std::move(kinds)),
      limits_(limits),
      table_(table) {}

Tasks::~Tasks() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  for (std::jthread& thread : threads_) thread.request_stop();
  for (const auto& [id, run] : running_) run->stop.request_stop();
}

Result<std::shared_ptr<Tasks>> Tasks::open(std::shared_ptr<state::State> state,
                                           const std::filesystem::path& folder, std::vector<TaskKind> kinds,
                                           const TaskLimits& limits, state::Table table) {
  std::unique_ptr<TaskResults> results;
  if (state->is_shared()) {
    results = results_in_state(state);
  } else {
    AKIN_TRY(results, results_in_folder(folder));
  }
  const std::shared_ptr<Tasks> tasks(
      new Tasks(std::move(state), std::move(results), std::move(kinds), limits, table));
  Result<void> tidied = tasks->tidy();
  // A state that accepts no writes, as a standby's, is tidied by other servers.
  if (tidied.has_error() && tidied.error().code != Errc::forbidden) return std::move(tidied).error();
  for (unsigned i = 0; i < limits.threads; ++i) {
    tasks->threads_.emplace_back([&tasks = *tasks](const std::stop_token& ended) { tasks.work_off(ended); });
  }
  tasks->threads_.emplace_back([&tasks = *tasks](const std::stop_token& ended) { tasks.watch(ended); });
  return tasks;
}

Result<void> Tasks::tidy() {
  AKIN_CHECK(recover());
  AKIN_CHECK(remove_strange_results());
  return forget_old(0);
}

Result<std::vector<TaskInfo>> Tasks::stored() const {
  constexpr std::size_t kPage = 1000;
  std::vector<TaskInfo> tasks;
  for (std::string after;;) {
    AKIN_TRY(const auto entries, state_->list(table_, "", after, kPage));
    for (const state::Entry& entry : entries) {
      AKIN_TRY(TaskInfo task, read_task(entry.key, entry.value));
      tasks.push_back(std::move(task));
    }
    if (entries.size() < kPage) break;
    after = entries.back().key;
  }
  std::ranges::stable_sort(tasks, {}, &TaskInfo::number);
  return tasks;
}

Result<TaskInfo> Tasks::stored(std::string_view id) const {
  if (state::check_key(id).has_error()) return no_task(id);
  AKIN_TRY(const auto record, state_->get(table_, id));
  if (!record) return no_task(id);
  return read_task(id, *record);
}

/// Returns whether the task existed and was changed.
Result<bool> Tasks::change(const std::string& id, const Change& change) {
  bool changed = false;
  AKIN_CHECK(state_->write([&](state::Writer& writer) -> Result<void> {
    changed = false;
    AKIN_TRY(const auto record, writer.get(table_, id));
    if (!record) return {};
    AKIN_TRY(TaskInfo task, read_task(id, *record));
    changed = change(task);
    return changed ? writer.put(table_, id, write_task(task)) : Result<void>();
  }));
  return changed;
}

Result<void> Tasks::remove_strange_results() const {
  AKIN_TRY(const std::vector<TaskInfo> tasks, stored());
  std::vector<std::string> kept;
  for (const TaskInfo& task : tasks) {
    if (task.status == TaskStatus::done || task.status == TaskStatus::running) kept.push_back(task.id);
  }
  results_->keep_only(kept);
  return {};
}

const TaskKind* Tasks::kind(std::string_view type) const noexcept {
  const auto found = std::ranges::find(kinds_, type, &TaskKind::type);
  return found != kinds_.end() ? &*found : nullptr;
}

Result<void> Tasks::check_room(const std::string& client) const {
  AKIN_TRY(const std::vector<TaskInfo> tasks, stored());
  std::size_t all = 0, own = 0;
  for (const TaskInfo& task : tasks) {
    if (task.status != TaskStatus::queued) continue;
    ++all;
    if (!client.empty() && task.client == client) ++own;
  }
  const std::size_t most_own = std::max<std::size_t>(1, limits_.queued * 3 / 4);
  if (all < limits_.queued && own < most_own) return {};
  return Error{Errc::busy, "tasks",
               own < most_own ? std::to_string(all) + " are already waiting"
                              : std::to_string(own) + " of this client are already waiting",
               "try again when one has ended, or cancel one"};
}

Result<TaskInfo> Tasks::add(std::string type, std::string collection, Json parameters, std::string client) {
  return add(NewTask{.type = std::move(type),
                     .collection = std::move(collection),
                     .parameters = std::move(parameters),
                     .client = std::move(client)});
}

Result<TaskInfo> Tasks::add(NewTask wanted) {
  if (kind(wanted.type) == nullptr) {
    return Error{Errc::not_found, "tasks of the type " + json::in_quotes(wanted.type),
                 "this server was started without them", "start it with a folder for them: --backup-folder"};
  }
  TaskInfo task;
  task.id = wanted.id.empty() ? "task-" + random_token() : std::move(wanted.id);
  task.type = std::move(wanted.type);
  task.collection = std::move(wanted.collection);
  task.parameters = std::move(wanted.parameters);
  task.created = time_now();
  task.client = std::move(wanted.client);
  AKIN_CHECK(check_room(task.client));
  {
    const std::lock_guard lock(mutex_);
    const auto now = static_cast<std::uint64_t>(task.created.time_since_epoch().count());
    task.number = last_number_ = std::max(now, last_number_ + 1);
  }
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    if (wanted.with) AKIN_CHECK(wanted.with(writer));
    return writer.put(table_, task.id, write_task(task));
  });
  AKIN_CHECK(written);
  AKIN_CHECK(forget_old(1));
  look();
  return task;
}

/// Removes ended tasks that are too old or too many; leaves room for `room` more.
Result<void> Tasks::forget_old(std::size_t room) {
  AKIN_TRY(std::vector<TaskInfo> finished, stored());
  std::erase_if(finished, [](const TaskInfo& task) { return !task.ended(); });
  AKIN_TRY(const Time lived, state::lived_time(*state_, state::ClockReading::now()));
  const Time oldest = lived - limits_.age;
  const std::size_t most = limits_.finished > room ? limits_.finished - room : 0;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    if (finished.size() - i > most || finished[i].finished < oldest) AKIN_CHECK(forget(finished[i].id));
  }
  return {};
}

Result<void> Tasks::forget(const std::string& id) {
  AKIN_CHECK(state_->erase(table_, id));
  results_->discard(id);
  return {};
}

/// Fills in the current progress of a task that runs here.
void Tasks::show_live(TaskInfo& task) const {
  if (task.status != TaskStatus::running) return;
  const std::lock_guard lock(mutex_);
  const auto found = running_.find(task.id);
  if (found == running_.end()) return;
  task.phase = found->second->info.phase;
  task.progress = found->second->info.progress;
  task.counts = found->second->info.counts;
}

Result<std::vector<TaskInfo>> Tasks::list() const {
  AKIN_TRY(std::vector<TaskInfo> tasks, stored());
  for (TaskInfo& task : tasks) show_live(task);
  return tasks;
}

Result<TaskInfo> Tasks::find(std::string_view id) const {
  AKIN_TRY(TaskInfo task, stored(id));
  show_live(task);
  return task;
}

Result<std::optional<TaskInfo>> Tasks::remove(std::string_view id) {
  AKIN_TRY(TaskInfo task, stored(id));
  AKIN_CHECK(change(task.id, [&](TaskInfo& now) {
    const bool waits = now.status == TaskStatus::queued;
    if (waits) now.status = TaskStatus::cancelled;
    if (waits) now.finished = time_now();
    const bool works = now.status == TaskStatus::running;
    if (works) now.cancelling = true;
    task = now;
    task.cancelling = waits || works;
    return waits || works;
  }));
  if (!task.cancelling) {
    AKIN_CHECK(forget(task.id));
    return std::optional<TaskInfo>();
  }
  show_live(task);
  stop_run(task.id);
  return std::optional(std::move(task));
}

void Tasks::stop_run(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto here = running_.find(id);
  if (here == running_.end()) return;
  here->second->cancelled = true;
  here->second->stop.request_stop();
}

Result<void> Tasks::discard(std::string_view id,
                            const std::function<Result<void>(state::Writer& writer)>& with) {
  if (state::check_key(id).has_error()) return no_task(id);
  AKIN_CHECK(state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const bool there, writer.erase(table_, id));
    if (!there) return no_task(id);
    return with(writer);
  }));
  stop_run(std::string(id));
  results_->discard(std::string(id));
  return {};
}

Result<std::string> Tasks::result(std::string_view id, std::uint64_t offset, std::uint64_t limit) const {
  AKIN_TRY(const TaskInfo task, stored(id));
  if (!task.ended()) {
    return Error{Errc::not_found, "result of task " + json::in_quotes(id), "the task has not ended",
                 "ask again when its status is 'done'"};
  }
  if (task.status != TaskStatus::done) {
    return Error{Errc::not_found, "result of task " + json::in_quotes(id),
                 "the task " + std::string(task.error ? "failed" : "was cancelled or interrupted") +
                     " and has no result",
                 "start it again"};
  }
  return results_->page({task.id, task.begun}, offset, limit);
}

}  // namespace akin::tasks
