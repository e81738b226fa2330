#include "server/api/tasks.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "index/files.h"
#include "server/json/quoted.h"
#include "server/api/result_lines.h"

namespace akin::api {

namespace {

bool finished(const TaskInfo& info) {
  return info.status != TaskStatus::queued && info.status != TaskStatus::running;
}

}  // namespace

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
  }
  return "unknown";
}

struct Tasks::Task {
  TaskInfo info;
  TaskWork work;
  std::stop_source stop;
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
  Result<void> write(std::string_view line) override { return task_.result->write(line); }

 private:
  Task& task_;
  std::mutex& mutex_;
};

Tasks::Tasks(std::filesystem::path folder, const TaskLimits& limits)
    : folder_(std::move(folder)), limits_(limits) {
  thread_ = std::jthread([this](const std::stop_token& ended) { work_off(ended); });
}

Tasks::~Tasks() {
  const std::lock_guard lock(mutex_);
  thread_.request_stop();
  if (at_work_) at_work_->stop.request_stop();
}

Result<std::shared_ptr<Tasks>> Tasks::open(const std::filesystem::path& folder, const TaskLimits& limits) {
  AKIN_CHECK(make_folder(folder));
  return std::shared_ptr<Tasks>(new Tasks(folder, limits));
}

Result<TaskInfo> Tasks::add(std::string type, std::string collection, TaskWork work) {
  auto task = std::make_shared<Task>();
  task->info.id = "task-" + random_token();
  task->info.type = std::move(type);
  task->info.collection = std::move(collection);
  task->info.created = std::chrono::system_clock::now();
  task->work = std::move(work);
  const std::lock_guard lock(mutex_);
  if (queue_.size() >= limits_.queued) {
    return Error{Errc::busy, "tasks", "as many as " + std::to_string(limits_.queued) + " wait already",
                 "try again when one has ended, or cancel one"};
  }
  forget_oldest();
  tasks_.push_back(task);
  queue_.push_back(task);
  changed_.notify_one();
  return task->info;
}

void Tasks::forget_oldest() {
  const auto is_finished = [](const std::shared_ptr<Task>& task) { return finished(task->info); };
  while (static_cast<std::size_t>(std::ranges::count_if(tasks_, is_finished)) >= limits_.finished) {
    tasks_.erase(std::ranges::find_if(tasks_, is_finished));
  }
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
               "GET /v1/tasks lists those there are; tasks end with the server"};
}

Result<TaskInfo> Tasks::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  AKIN_TRY(const auto found, task(id));
  return found->info;
}

Result<std::optional<TaskInfo>> Tasks::remove(std::string_view id) {
  const std::lock_guard lock(mutex_);
  AKIN_TRY(const auto found, task(id));
  if (finished(found->info)) {
    std::erase(tasks_, found);
    return std::optional<TaskInfo>();
  }
  found->stop.request_stop();
  if (std::erase(queue_, found) > 0) {
    found->info.status = TaskStatus::cancelled;
    found->info.finished = std::chrono::system_clock::now();
    found->work = nullptr;
  }
  return std::optional(found->info);
}

Result<std::string> Tasks::result(std::string_view id, std::uint64_t offset, std::uint64_t limit) const {
  std::shared_ptr<Task> found;
  {
    const std::lock_guard lock(mutex_);
    AKIN_TRY(found, task(id));
    const TaskInfo& info = found->info;
    if (!finished(info)) {
      return Error{Errc::busy, "task " + json::in_quotes(id), "has not ended",
                   "ask again when its status is 'done'"};
    }
    if (info.status != TaskStatus::done) {
      return Error{Errc::not_found, "result of task " + json::in_quotes(id),
                   "there is none: it " + std::string(info.error ? "failed" : "was cancelled"),
                   "start it again"};
    }
  }
  return found->result->page(offset, limit);
}

void Tasks::work_off(const std::stop_token& ended) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, ended, [this] { return !queue_.empty(); }) && !ended.stop_requested()) {
    at_work_ = std::move(queue_.front());
    queue_.pop_front();
    const std::shared_ptr<Task> task = at_work_;
    task->info.status = TaskStatus::running;
    task->info.started = std::chrono::system_clock::now();
    lock.unlock();
    run(*task);
    lock.lock();
    at_work_ = nullptr;
  }
}

void Tasks::run(Task& task) {
  Result<void> outcome = do_work(task);
  task.work = nullptr;
  const std::lock_guard lock(mutex_);
  TaskInfo& info = task.info;
  info.finished = std::chrono::system_clock::now();
  if (task.stop.stop_requested()) {
    info.status = TaskStatus::cancelled;
  } else if (outcome.has_error()) {
    info.status = TaskStatus::failed;
    info.error = outcome.error();
  } else {
    info.status = TaskStatus::done;
    info.progress = 1.0;
    info.result_lines = task.result->lines();
  }
  if (info.status != TaskStatus::done) task.result.reset();
}

Result<void> Tasks::do_work(Task& task) {
  try {
    AKIN_TRY(auto result, ResultLines::make(folder_, limits_.result_bytes));
    task.result.emplace(std::move(result));
    Context context(task, mutex_);
    AKIN_CHECK(task.work(context));
    return task.result->finish();
  } catch (const std::bad_alloc&) {
    return Error{Errc::busy, "server", "not enough memory for this task",
                 "try again later, or with less memory"};
  } catch (const std::exception& failure) {
    return Error{Errc::internal, "server", std::string("unexpected failure: ") + failure.what(), "report it"};
  }
}

}  // namespace akin::api
