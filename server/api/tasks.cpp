#include "server/api/tasks.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "index/files.h"
#include "server/api/result_lines.h"
#include "server/api/task_record.h"
#include "server/json/quoted.h"

namespace akin::api {

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

struct Tasks::Task {
  TaskInfo info;
  std::stop_source stop;
  bool cancelled = false;             ///< by a client; the server's end stops it too
  std::optional<ResultLines> result;  ///< of the thread at work; once done, of all
};

class Tasks::Context final : public TaskContext {
 public:
  Context(Task& task, std::mutex& mutex) : task_(task), mutex_(mutex) {}

  std::stop_token stop() const override { return task_.stop.get_token(); }
  void progress(double share) override {
    const std::lock_guard lock(mutex_);
    task_.info.progress = std::clamp(share, task_.info.progress, 1.0);
  }
  void counts(const TaskCounts& counts) override {
    const std::lock_guard lock(mutex_);
    task_.info.counts = counts;
  }
  Result<void> write(std::string_view line) override { return task_.result->write(line); }

 private:
  Task& task_;
  std::mutex& mutex_;
};

Tasks::Tasks(std::shared_ptr<state::State> state, std::filesystem::path folder, std::vector<TaskKind> kinds,
             const TaskLimits& limits)
    : state_(std::move(state)), folder_(std::move(folder)), kinds_(std::move(kinds)), limits_(limits) {}

Tasks::~Tasks() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  for (std::jthread& thread : threads_) thread.request_stop();
  for (const auto& task : at_work_) task->stop.request_stop();
}

Result<std::shared_ptr<Tasks>> Tasks::open(std::shared_ptr<state::State> state,
                                           const std::filesystem::path& folder, std::vector<TaskKind> kinds,
                                           const TaskLimits& limits) {
  AKIN_CHECK(make_folder(folder));
  const std::shared_ptr<Tasks> tasks(new Tasks(std::move(state), folder, std::move(kinds), limits));
  AKIN_CHECK(tasks->take_up());
  for (unsigned i = 0; i < limits.threads; ++i) {
    tasks->threads_.emplace_back([&tasks = *tasks](const std::stop_token& ended) { tasks.work_off(ended); });
  }
  return tasks;
}

Result<void> Tasks::take_up() {
  constexpr std::size_t kPage = 1000;
  for (std::string after;;) {
    AKIN_TRY(const auto entries, state_->list(state::Table::tasks, "", after, kPage));
    for (const state::Entry& entry : entries) {
      auto task = std::make_shared<Task>();
      AKIN_TRY(task->info, read_task(entry.key, entry.value));
      tasks_.push_back(std::move(task));
    }
    if (entries.size() < kPage) break;
    after = entries.back().key;
  }
  std::ranges::sort(tasks_, {}, [](const auto& task) { return task->info.number; });
  if (!tasks_.empty()) next_number_ = tasks_.back()->info.number + 1;
  for (const auto& task : tasks_) {
    TaskInfo& info = task->info;
    if (info.ended()) continue;
    if (info.status == TaskStatus::running && info.begun >= limits_.begun) {
      info.status = TaskStatus::interrupted;
      info.finished = time_now();
      AKIN_CHECK(keep(info));
      continue;
    }
    info.status = TaskStatus::queued;
    info.progress = 0;
    queue_.push_back(task);
  }
  remove_strange_files();
  forget_old(0);
  return {};
}

void Tasks::remove_strange_files() const {
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder_, ignored), end; entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().stem().string();
    const bool known = std::ranges::any_of(tasks_, [&](const auto& task) {
      return task->info.id == name && task->info.status == TaskStatus::done;
    });
    if (!known) std::filesystem::remove(entry->path(), ignored);
  }
}

const TaskKind* Tasks::kind(std::string_view type) const noexcept {
  const auto found = std::ranges::find(kinds_, type, &TaskKind::type);
  return found != kinds_.end() ? &*found : nullptr;
}

Result<void> Tasks::keep(const TaskInfo& info) {
  return state_->put(state::Table::tasks, info.id, write_task(info));
}

Result<TaskInfo> Tasks::add(std::string type, std::string collection, Json parameters) {
  if (kind(type) == nullptr) {
    return Error{Errc::not_found, "tasks of the type " + json::in_quotes(type),
                 "this server was started without them",
                 "start it with a folder for them: --load-folder, --backup-folder"};
  }
  auto task = std::make_shared<Task>();
  task->info.id = "task-" + random_token();
  task->info.type = std::move(type);
  task->info.collection = std::move(collection);
  task->info.parameters = std::move(parameters);
  task->info.created = time_now();
  const std::lock_guard lock(mutex_);
  if (queue_.size() >= limits_.queued) {
    return Error{Errc::busy, "tasks", "as many as " + std::to_string(limits_.queued) + " wait already",
                 "try again when one has ended, or cancel one"};
  }
  task->info.number = next_number_++;
  AKIN_CHECK(keep(task->info));
  forget_old(1);
  tasks_.push_back(task);
  queue_.push_back(task);
  changed_.notify_one();
  return task->info;
}

/// Leaves `room` more to be finished.
void Tasks::forget_old(std::size_t room) {
  std::vector<std::shared_ptr<Task>> finished;
  std::ranges::copy_if(tasks_, std::back_inserter(finished),
                       [](const auto& task) { return task->info.ended(); });
  const Time oldest = time_now() - limits_.age;
  const std::size_t most = limits_.finished > room ? limits_.finished - room : 0;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    if (finished.size() - i > most || finished[i]->info.finished < oldest) forget(finished[i]);
  }
}

/// A task whose record resists is forgotten by the next server.
void Tasks::forget(const std::shared_ptr<Task>& task) {
  static_cast<void>(state_->erase(state::Table::tasks, task->info.id));
  if (task->result) task->result->discard();
  std::erase(tasks_, task);
}

std::vector<TaskInfo> Tasks::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<TaskInfo> infos;
  infos.reserve(tasks_.size());
  for (const auto& task : tasks_) infos.push_back(task->info);
  return infos;
}

Result<std::shared_ptr<Tasks::Task>> Tasks::task(std::string_view id) const {
  const auto found =
      std::ranges::find_if(tasks_, [id](const std::shared_ptr<Task>& task) { return task->info.id == id; });
  if (found != tasks_.end()) return *found;
  return Error{Errc::not_found, "task " + json::in_quotes(id), "there is none with this id",
               "GET /v1/tasks lists those there are"};
}

Result<TaskInfo> Tasks::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  AKIN_TRY(const auto found, task(id));
  return found->info;
}

Result<std::optional<TaskInfo>> Tasks::remove(std::string_view id) {
  const std::lock_guard lock(mutex_);
  AKIN_TRY(const auto found, task(id));
  if (found->info.ended()) {
    forget(found);
    return std::optional<TaskInfo>();
  }
  found->cancelled = true;
  found->stop.request_stop();
  if (std::erase(queue_, found) > 0) {
    found->info.status = TaskStatus::cancelled;
    found->info.finished = time_now();
    AKIN_CHECK(keep(found->info));
  }
  return std::optional(found->info);
}

Result<std::string> Tasks::result(std::string_view id, std::uint64_t offset, std::uint64_t limit) const {
  std::shared_ptr<Task> found;
  {
    const std::lock_guard lock(mutex_);
    AKIN_TRY(found, task(id));
    const TaskInfo& info = found->info;
    if (!info.ended()) {
      return Error{Errc::busy, "task " + json::in_quotes(id), "has not ended",
                   "ask again when its status is 'done'"};
    }
    if (info.status != TaskStatus::done) {
      return Error{Errc::not_found, "result of task " + json::in_quotes(id),
                   "there is none: it " + std::string(info.error ? "failed" : "was cancelled or interrupted"),
                   "start it again"};
    }
    if (!found->result) {
      AKIN_TRY(auto lines, ResultLines::open(folder_, found->info.id));
      found->result.emplace(std::move(lines));
    }
  }
  return found->result->page(offset, limit);
}

void Tasks::work_off(const std::stop_token& ended) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, ended, [this] { return !queue_.empty(); }) && !ended.stop_requested()) {
    const std::shared_ptr<Task> task = std::move(queue_.front());
    queue_.pop_front();
    at_work_.push_back(task);
    task->info.status = TaskStatus::running;
    task->info.started = time_now();
    ++task->info.begun;
    const Result<void> kept = keep(task->info);
    lock.unlock();
    run(*task, kept);
    lock.lock();
    std::erase(at_work_, task);
  }
}

void Tasks::run(Task& task, const Result<void>& kept) {
  const Result<void> outcome = kept.has_error() ? kept : do_work(task);
  const std::lock_guard lock(mutex_);
  // What the server's end has stopped stays `running` on the disk, and is begun anew.
  if (ending_ && !task.cancelled) return;
  TaskInfo& info = task.info;
  if (task.cancelled) {
    info.status = TaskStatus::cancelled;
  } else if (outcome.has_error()) {
    info.status = TaskStatus::failed;
    info.error = outcome.error();
  } else {
    info.status = TaskStatus::done;
    info.progress = 1.0;
    info.result_lines = task.result->lines();
  }
  info.finished = time_now();
  if (info.status != TaskStatus::done && task.result) {
    task.result->discard();
    task.result.reset();
  }
  if (const Result<void> told = keep(info); told.has_error() && info.status == TaskStatus::done) {
    info.status = TaskStatus::failed;
    info.error = told.error();
  }
}

Result<void> Tasks::do_work(Task& task) {
  try {
    AKIN_TRY(auto result, ResultLines::make(folder_, task.info.id, limits_.result_bytes));
    task.result.emplace(std::move(result));
    Context context(task, mutex_);
    const TaskKind* what = kind(task.info.type);
    if (what == nullptr) {
      return Error{Errc::unsupported, "task type " + json::in_quotes(task.info.type),
                   "is not known to this akin", "start it again with a type that is"};
    }
    AKIN_CHECK(what->work(task.info, context));
    return task.result->finish();
  } catch (const std::bad_alloc&) {
    return Error{Errc::busy, "server", "not enough memory for this task",
                 "try again later, or with less memory"};
  } catch (const std::exception& failure) {
    return Error{Errc::internal, "server", std::string("unexpected failure: ") + failure.what(), "report it"};
  }
}

}  // namespace akin::api
