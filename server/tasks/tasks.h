// Work that outlasts a request: queued, done by threads of its own, watched and cancelled by id. Tasks are
// kept in the server's state: they survive the process, and any server that shares the state may do them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/json/json.h"
#include "server/state/state.h"
#include "server/tasks/task_results.h"

namespace akin::tasks {

using json::Json;

enum class TaskStatus {
  queued,
  running,
  done,
  failed,
  cancelled,
  interrupted,  ///< the server ended while it was at work, more often than it is begun again
};

/// "queued", "running" …
[[nodiscard]] std::string_view status_name(TaskStatus status) noexcept;

/// How far a task is, where it can be counted; a total of 0 is not known.
struct TaskCounts {
  std::uint64_t documents_done = 0, documents_total = 0;
  std::uint64_t bytes_done = 0, bytes_total = 0;
};

/// A task as it was when it was asked about.
struct TaskInfo {
  std::string id;          ///< "task-" and 16 hex digits, never used again
  std::string type;        ///< what it does: "pairs"
  std::string collection;  ///< what it works on; empty = all
  Json parameters = Json::object();
  TaskStatus status = TaskStatus::queued;
  double progress = 0.0;  ///< share of the work, 0..1
  std::optional<TaskCounts> counts;
  std::uint64_t number = 0;  ///< ascends with the tasks of a server; microseconds since 1970, of its clock
  std::uint32_t begun = 0;   ///< how often; more than once after the server has ended at work
  Time created;
  std::optional<Time> started, finished;
  std::optional<Error> error;      ///< of a failed one
  std::uint64_t result_lines = 0;  ///< of one that is done
  bool cancelling = false;         ///< a client has cancelled it; it is at work until it notices

  [[nodiscard]] bool ended() const noexcept {
    return status != TaskStatus::queued && status != TaskStatus::running;
  }
};

/// What a task's work is given: how to tell how far it is, and what it found. One thread.
class TaskContext {
 public:
  virtual ~TaskContext() = default;
  /// Asked to stop when the task is cancelled or the server ends: the work then returns soon, with anything.
  [[nodiscard]] virtual std::stop_token stop() const = 0;
  virtual void progress(double share) = 0;
  virtual void counts(const TaskCounts& counts) = 0;
  /// Appends a line to the result. Errors: disk_full, io, too_large.
  [[nodiscard]] virtual Result<void> write(std::string_view line) = 0;
};

/// What tasks of one type do. The work begins anew when the server has ended in its midst, so it must be of
/// the kind that can be repeated.
struct TaskKind {
  std::string type;
  std::function<Result<void>(const TaskInfo& task, TaskContext& context)> work;
};

struct TaskLimits {
  unsigned threads = 2;                                  ///< tasks at work at once
  std::size_t queued = 16;                               ///< waiting to be begun
  std::size_t finished = 100;                            ///< remembered; the oldest is forgotten first
  std::chrono::hours age{30 * 24};                       ///< finished ones older than this are forgotten
  std::uint32_t begun = 3;                               ///< times that a task is begun at most
  std::uint64_t result_bytes = std::uint64_t{16} << 30;  ///< of one result
  std::chrono::milliseconds poll{1'000};                 ///< how often it is looked what other servers did
};

/// Members may be called from any number of threads.
/// The server that works on a task holds the lease "task/ID" of the state. A task that is `running` without a
/// lease was left by a server that died: the first server to notice queues it again.
class Tasks {
 public:
  /// Takes up the tasks in `state`. Results lie in `folder`, which is made if it is missing, or in the state
  /// where servers share it; then tasks of types that are not known here are left to the others. Errors: io,
  /// disk_full, corrupt.
  [[nodiscard]] static Result<std::shared_ptr<Tasks>> open(std::shared_ptr<state::State> state,
                                                           const std::filesystem::path& folder,
                                                           std::vector<TaskKind> kinds,
                                                           const TaskLimits& limits = {});
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  /// Stops the tasks at work here and waits for them; another server, or the next open(), begins them anew.
  ~Tasks();

  // Errors of all members also: those of the state.

  /// Queues a task, durably; returns it as queued. Errors: busy when too many wait; not_found for a type that
  /// is not known.
  [[nodiscard]] Result<TaskInfo> add(std::string type, std::string collection, Json parameters);

  /// All that are remembered, in the order in which they were added.
  [[nodiscard]] Result<std::vector<TaskInfo>> list() const;
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
  struct Run;
  class Context;
  /// Changes a task and tells whether it is to be written. May be called several times.
  using Change = std::function<bool(TaskInfo& task)>;

  Tasks(std::shared_ptr<state::State> state, std::unique_ptr<TaskResults> results,
        std::vector<TaskKind> kinds, const TaskLimits& limits);
  [[nodiscard]] Result<std::vector<TaskInfo>> stored() const;
  [[nodiscard]] Result<TaskInfo> stored(std::string_view id) const;
  [[nodiscard]] Result<bool> change(const std::string& id, const Change& change);
  [[nodiscard]] Result<bool> recover();
  [[nodiscard]] Result<void> remove_strange_results() const;
  void work_off(const std::stop_token& ended);
  [[nodiscard]] Result<std::shared_ptr<Run>> claim();
  void work_on(const std::shared_ptr<Run>& run);
  [[nodiscard]] Result<std::uint64_t> do_work(Run& run);
  void tell_outcome(Run& run, const Result<std::uint64_t>& outcome);
  void watch(const std::stop_token& ended);
  void attend(Run& run);
  [[nodiscard]] Result<void> forget_old(std::size_t room);
  [[nodiscard]] Result<void> forget(const std::string& id);
  void show_live(TaskInfo& task) const;
  void look();
  [[nodiscard]] const TaskKind* kind(std::string_view type) const noexcept;

  const std::shared_ptr<state::State> state_;
  const std::unique_ptr<TaskResults> results_;
  const std::vector<TaskKind> kinds_;
  const TaskLimits limits_;
  mutable std::mutex mutex_;  // guards what follows, and what is live in the runs
  std::condition_variable_any changed_;
  bool ending_ = false;
  std::uint64_t looks_ = 0;  ///< raised when there may be something to do
  std::uint64_t last_number_ = 0;
  std::map<std::string, std::shared_ptr<Run>, std::less<>> running_;  ///< here, by id
  std::vector<std::jthread> threads_;                                 // last: they use all of the others
};

}  // namespace akin::tasks
