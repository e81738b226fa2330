// Where the lines are that tasks have found: files of one server, or the state that several share.
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

/// What one run of a task finds. Of one thread.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  /// Appends a line; `text` has no line end. Errors: disk_full, io, too_large.
  [[nodiscard]] virtual Result<void> write(std::string_view text) = 0;
  /// What was written is durable when this returns, and can be read.
  [[nodiscard]] virtual Result<void> finish() = 0;
  [[nodiscard]] virtual std::uint64_t lines() const noexcept = 0;
};

/// A run of a task: the first one is 1. Two runs may overlap for a moment when a server is taken for dead.
struct TaskRun {
  std::string task;
  std::uint32_t number = 1;
};

/// Members may be called from any number of threads.
class TaskResults {
 public:
  virtual ~TaskResults() = default;
  /// For `max_bytes` at most; what former runs left is gone. Errors: io, disk_full.
  [[nodiscard]] virtual Result<std::unique_ptr<ResultSink>> make(const TaskRun& run,
                                                                 std::uint64_t max_bytes) = 0;
  /// The lines of a finished run from number `offset` (from 0) on, `limit` at most, each with its line end.
  /// Errors: not_found, io.
  [[nodiscard]] virtual Result<std::string> page(const TaskRun& run, std::uint64_t offset,
                                                 std::uint64_t limit) = 0;
  /// Removes what all runs of a task found.
  virtual void discard(const std::string& task) = 0;
  /// Removes what is of no task among these.
  virtual void keep_only(const std::vector<std::string>& tasks) = 0;
};

/// Files in a folder, which is made if it is missing (ResultLines).
[[nodiscard]] Result<std::unique_ptr<TaskResults>> results_in_folder(const std::filesystem::path& folder);

/// Blocks of lines in Table::task_results.
[[nodiscard]] std::unique_ptr<TaskResults> results_in_state(std::shared_ptr<state::State> state);

}  // namespace akin::tasks
