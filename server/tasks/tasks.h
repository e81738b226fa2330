// Work that outlasts a request: queued, run on threads of its own, observed and cancelled by id. Tasks are
// stored in the server's state, so they survive the process, and any server that shares the state may run
// them.
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
  interrupted,  ///< a server ended while it ran, and it has been started as often as allowed
};

/// "queued", "running" …
[[nodiscard]] std::string_view status_name(TaskStatus status) noexcept;

/// The progress of a task, if it can be counted; a total of 0 means unknown.
struct TaskCounts {
  std::uint64_t documents_done = 0, documents_total = 0;
  std::uint64_t bytes_done = 0, bytes_total = 0;
};

/// A task at the time of the request.
struct TaskInfo {
  std::string id;          ///< "task-" and 16 hex digits, never used again
  std::string type;        ///< what it does: "pairs"
  std::string collection;  ///< the collection it works on; empty: all
  std::string client;      ///< whose task it is: an access key or an address; empty: the server's own
  Json parameters = Json::object();
  TaskStatus status = TaskStatus::queued;
  std::string phase = {};  ///< what it does now, in a word of its type; or empty
  double progress = 0.0;   ///< share of the work, 0..1
  std::optional<TaskCounts> counts;
  std::uint64_t number = 0;  ///< larger for each new task of a server; microseconds since 1970 by its clock
  std::uint32_t begun = 0;   ///< number of starts; more than 1 if a server ended while it ran
  Time created;
  std::optional<Time> started, finished;
  std::optional<Error> error;      ///< of a failed task
  std::uint64_t result_lines = 0;  ///< of a task that is done
  bool cancelling = false;         ///< a client has cancelled it; it runs until it notices

  [[nodiscard]] bool ended() const noexcept {
    return status != TaskStatus::queued && status != TaskStatus::running;
  }
};

/// The means by which a task's work reports its progress and its results. For one thread.
class TaskContext {
 public:
  virtual ~TaskContext() = default;
  /// Requests a stop when the task is cancelled or the server shuts down. The work must then return soon; its
  /// result is ignored.
  [[nodiscard]] virtual std::stop_token stop() const = 0;
  virtual void progress(double share) = 0;
  virtual void phase(std::string_view name) = 0;
  virtual void counts(const TaskCounts& counts) = 0;
  /// Appends a line to the result. Errors: disk_full, io, too_large.
  [[nodiscard]] virtual Result<void> write(std::string_view line) = 0;
  /// Ends the task within a write of the work's own, so that both take effect together: it is removed or, if
  /// the work failed, stored as failed. False if this run no longer counts, because the task was cancelled,
  /// was removed, or runs elsewhere: then the work must write nothing. The work returns after it.
  [[nodiscard]] virtual Result<bool> end(state::Writer& writer, const Error* failure) = 0;
};

/// The work of tasks of one type. It starts from scratch if a server ended during it, so it must be
/// repeatable.
struct TaskKind {
  std::string type;
  std::function<Result<void>(const TaskInfo& task, TaskContext& context)> work;
};

struct TaskLimits {
  unsigned threads = 2;             ///< tasks that run at the same time
  std::size_t queued = 16;          ///< waiting to be started; three quarters of them of one client
  std::size_t finished = 100;       ///< ended tasks that are kept; the oldest is removed first
  std::chrono::hours age{30 * 24};  ///< ended tasks older than this are removed, by lived time
  std::uint32_t begun = 3;          ///< maximum number of starts of a task
  std::uint64_t result_bytes = std::uint64_t{16} << 30;  ///< of one result
  std::chrono::milliseconds poll{1'000};                 ///< interval of checks for what other servers did
};

/// A task to be queued.
struct NewTask {
  std::string id = {};  ///< one never used before; empty: it gets one
  std::string type;
  std::string collection = {};
  Json parameters = Json::object();
  std::string client = {};
  /// Written together with the task, if set.
  std::function<Result<void>(state::Writer& writer)> with = nullptr;
};

/// The error for an id that no task has.
[[nodiscard]] Error no_task(std::string_view id);

/// Members may be called from any number of threads.
///
/// The server that runs a task holds the lease "task/ID" in the state. A `running` task whose lease nobody
/// holds was left by a server that died; the first server to notice queues it again.
class Tasks {
 public:
  /// Resumes the tasks in this table of `state`. Results are stored in `folder`, which is created if it is
  /// missing, or in the state if several servers share it; then other servers run the tasks whose types are
  /// unknown here. Errors: io, disk_full, corrupt.
  [[nodiscard]] static Result<std::shared_ptr<Tasks>> open(std::shared_ptr<state::State> state,
                                                           const std::filesystem::path& folder,
                                                           std::vector<TaskKind> kinds,
                                                           const TaskLimits& limits = {},
                                                           state::Table table = state::Table::tasks);
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  /// Stops the tasks that run here and waits for them; another server, or the next open(), starts them again.
  ~Tasks();

  // All members may also return errors of the state.

  /// Queues a task, durably; returns it as queued. Of the waiting tasks, the oldest of the client of which
  /// the fewest run, and of these the one that was served longest ago, is started next. Errors: busy when too
  /// many wait, in all or of the client; not_found for a type that is not known.
  [[nodiscard]] Result<TaskInfo> add(NewTask wanted);
  [[nodiscard]] Result<TaskInfo> add(std::string type, std::string collection, Json parameters,
                                     std::string client = {});

  /// All stored tasks, in the order in which they were added.
  [[nodiscard]] Result<std::vector<TaskInfo>> list() const;
  /// Error: not_found.
  [[nodiscard]] Result<TaskInfo> find(std::string_view id) const;

  /// Cancels a waiting or running task (which still runs until it notices); removes an ended one with its
  /// result. Returns the task in its new state, or nothing if it was removed. Error: not_found.
  [[nodiscard]] Result<std::optional<TaskInfo>> remove(std::string_view id);

  /// Stops and removes a task, whatever its status, together with what `with` writes. Error: not_found.
  [[nodiscard]] Result<void> discard(std::string_view id,
                                     const std::function<Result<void>(state::Writer& writer)>& with);

  /// At most `limit` lines of the result, starting with number `offset` (from 0). Errors: not_found (no such
  /// task; not ended, failed or cancelled), io.
  [[nodiscard]] Result<std::string> result(std::string_view id, std::uint64_t offset,
                                           std::uint64_t limit) const;

 private:
  struct Execution;
  class Context;
  /// Changes a task and returns whether it must be stored. May be called several times.
  using Change = std::function<bool(TaskInfo& task)>;

  Tasks(std::shared_ptr<state::State> state, std::unique_ptr<TaskResults> results,
        std::vector<TaskKind> kinds, const TaskLimits& limits, state::Table table);
  [[nodiscard]] Result<std::vector<TaskInfo>> stored() const;
  [[nodiscard]] Result<TaskInfo> stored(std::string_view id) const;
  [[nodiscard]] Result<bool> change(const std::string& id, const Change& change);
  [[nodiscard]] Result<bool> recover();
  /// What a start does first: recovers, and removes what is old.
  [[nodiscard]] Result<void> tidy();
  [[nodiscard]] Result<void> remove_strange_results() const;
  void work_off(const std::stop_token& ended);
  void put_in_turn(std::vector<TaskInfo>& tasks) const;
  void stop_run(const std::string& id);
  [[nodiscard]] Result<void> check_room(const std::string& client) const;
  [[nodiscard]] Result<std::shared_ptr<Execution>> claim();
  void work_on(const std::shared_ptr<Execution>& run);
  [[nodiscard]] Result<std::uint64_t> do_work(Execution& run);
  void store_outcome(Execution& run, const Result<std::uint64_t>& outcome);
  void watch(const std::stop_token& ended);
  void attend_all();
  void attend(Execution& run);
  [[nodiscard]] Result<void> forget_old(std::size_t room);
  [[nodiscard]] Result<void> forget(const std::string& id);
  void show_live(TaskInfo& task) const;
  void look();
  [[nodiscard]] const TaskKind* kind(std::string_view type) const noexcept;

  const std::shared_ptr<state::State> state_;
  const std::unique_ptr<TaskResults> results_;
  const std::vector<TaskKind> kinds_;
  const TaskLimits limits_;
  const state::Table table_;
  mutable std::mutex mutex_;  // guards the members below, and the live fields of the runs
  std::condition_variable_any changed_;
  bool ending_ = false;
  std::uint64_t looks_ = 0;  ///< raised when there may be something to do
  std::uint64_t last_number_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> served_;  ///< the number of a client's last start here
  std::uint64_t starts_ = 0;
  std::map<std::string, std::shared_ptr<Execution>, std::less<>> running_;  ///< tasks that run here, by id
  std::vector<std::jthread> threads_;  // last: they use all other members
};

}  // namespace akin::tasks
