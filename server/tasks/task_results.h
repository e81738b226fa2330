// The results of tasks: files of one server, or records in the state that several servers share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/state/state.h"

namespace akin::tasks {

/// Receives what one run of a task finds. For one thread.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  /// Appends a line; `text` has no line end. Errors: disk_full, io, too_large.
  [[nodiscard]] virtual Result<void> write(std::string_view text) = 0;
  /// When this returns, everything that was written is durable and can be read.
  [[nodiscard]] virtual Result<void> finish() = 0;
  [[nodiscard]] virtual std::uint64_t lines() const noexcept = 0;
};

/// A run of a task; the first has number 1. Two runs may overlap for a moment if a server is taken for dead.
struct TaskRun {
  std::string task;
  std::uint32_t number = 1;
};

/// Members may be called from any number of threads.
class TaskResults {
 public:
  virtual ~TaskResults() = default;
  /// Starts a result of at most `max_bytes`, and removes what earlier runs left. Errors: io, disk_full.
  [[nodiscard]] virtual Result<std::unique_ptr<ResultSink>> make(const TaskRun& run,
                                                                 std::uint64_t max_bytes) = 0;
  /// At most `limit` lines of a finished run, starting with number `offset` (from 0), each with its line end.
  /// Errors: not_found, io.
  [[nodiscard]] virtual Result<std::string> page(const TaskRun& run, std::uint64_t offset,
                                                 std::uint64_t limit) = 0;
  /// Removes the results of all runs of a task.
  virtual void discard(const std::string& task) = 0;
  /// Removes the results of all tasks except these.
  virtual void keep_only(const std::vector<std::string>& tasks) = 0;
};

/// Files in a folder (ResultLines), which is created if it is missing.
[[nodiscard]] Result<std::unique_ptr<TaskResults>> results_in_folder(const std::filesystem::path& folder);

/// Blocks of lines in Table::task_results.
[[nodiscard]] std::unique_ptr<TaskResults> results_in_state(std::shared_ptr<state::State> state);

}  // namespace akin::tasks
