// Work that outlasts a request: queued, done one after another by a thread of its own, watched and cancelled
// by id. Tasks do not survive the process.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"

namespace akin::api {

enum class TaskStatus { queued, running, done, failed, cancelled };

/// "queued", "running" …
[[nodiscard]] std::string_view status_name(TaskStatus status) noexcept;

using TaskTime = std::chrono::system_clock::time_point;

/// A task as it was when it was asked about.
struct TaskInfo {
  std::string id;          ///< "task-" and 16 hex digits, never used again
  std::string type;        ///< what it does: "pairs"
  std::string collection;  ///< what it works on
  TaskStatus status = TaskStatus::queued;
  double progress = 0.0;  ///< share of the work, 0..1
  TaskTime created;
  std::optional<TaskTime> started, finished;
  std::optional<Error> error;      ///< of a failed one
  std::uint64_t result_lines = 0;  ///< of one that is done
};

/// What a task's work is given: how to tell how far it is, and what it found. One thread.
class TaskContext {
 public:
  virtual ~TaskContext() = default;
  /// Asked to stop when the task is cancelled or the server ends: the work then returns soon, with anything.
  [[nodiscard]] virtual std::stop_token stop() const = 0;
  virtual void progress(double share) = 0;
  /// Appends a line to the result. Errors: disk_full, io, too_large.
  [[nodiscard]] virtual Result<void> write(std::string_view line) = 0;
};

using TaskWork = std::function<Result<void>(TaskContext&)>;

struct TaskLimits {
  std::size_t queued = 16;                               ///< waiting to be begun
  std::size_t finished = 100;                            ///< remembered; the oldest is forgotten first
  std::uint64_t result_bytes = std::uint64_t{16} << 30;  ///< of one result
};

/// Members may be called from any number of threads.
class Tasks {
 public:
  /// Results lie in `folder`, which is made if it is missing. Errors: io, disk_full.
  [[nodiscard]] static Result<std::shared_ptr<Tasks>> open(const std::filesystem::path& folder,
                                                           const TaskLimits& limits = {});
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  /// Stops the task at work and waits for it.
  ~Tasks();

  /// Queues a task; returns it as queued. Error: busy when too many wait.
  [[nodiscard]] Result<TaskInfo> add(std::string type, std::string collection, TaskWork work);

  /// All that are remembered, in the order in which they were added.
  [[nodiscard]] std::vector<TaskInfo> list() const;
  /// Error: not_found.
  [[nodiscard]] Result<TaskInfo> find(std::string_view id) const;

  /// Cancels a task that waits or is at work (which then still is running until it notices); forgets a
  /// finished one with its result. Returns the task as it is then; nothing when it was forgotten. Error:
  /// not_found.
  [[nodiscard]] Result<std::optional<TaskInfo>> remove(std::string_view id);

  /// Lines of the result from number `offset` (from 0) on, at most `limit`. Errors: not_found (no such task;
  /// failed or cancelled), busy (not finished), io.
  [[nodiscard]] Result<std::string> result(std::string_view id, std::uint64_t offset,
                                           std::uint64_t limit) const;

 private:
  struct Task;
  class Context;

  Tasks(std::filesystem::path folder, const TaskLimits& limits);
  void work_off(const std::stop_token& ended);
  void run(Task& task);
  [[nodiscard]] Result<void> do_work(Task& task);
  void forget_oldest();
  [[nodiscard]] Result<std::shared_ptr<Task>> task(std::string_view id) const;

  const std::filesystem::path folder_;
  const TaskLimits limits_;
  mutable std::mutex mutex_;  // guards what follows, and the tasks' infos
  std::condition_variable_any changed_;
  std::vector<std::shared_ptr<Task>> tasks_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::shared_ptr<Task> at_work_;
  std::jthread thread_;  // last: it uses all of the others
};

}  // namespace akin::api
