#include "server/tasks/task_results.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "base/files.h"
#include "base/folders.h"
#include "base/hex.h"
#include "server/tasks/result_lines.h"

namespace akin::tasks {

namespace {

class FolderResults final : public TaskResults {
 public:
  explicit FolderResults(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<ResultSink>> make(const TaskRun& run, std::uint64_t max_bytes) override {
    AKIN_TRY(ResultLines lines, ResultLines::make(folder_, run.task, max_bytes));
    return std::unique_ptr<ResultSink>(std::make_unique<Sink>(*this, run.task, std::move(lines)));
  }

  Result<std::string> page(const TaskRun& run, std::uint64_t offset, std::uint64_t limit) override {
    std::shared_ptr<const ResultLines> lines;
    {
      const std::lock_guard lock(mutex_);
      auto& known = finished_[run.task];
      if (known == nullptr) {
        auto opened = ResultLines::open(folder_, run.task);
        if (opened.has_error()) {
          finished_.erase(run.task);
          return std::move(opened).error();
        }
        known = std::make_shared<const ResultLines>(*std::move(opened));
      }
      lines = known;
    }
    return lines->page(offset, limit);
  }

  void discard(const std::string& task) override {
    const std::lock_guard lock(mutex_);
    finished_.erase(task);
    ResultLines::remove(folder_, task);
  }

  void keep_only(const std::vector<std::string>& tasks) override {
    const Result<std::vector<std::string>> names = entry_names(folder_);
    if (names.has_error()) return;  // the next start looks again
    std::error_code ignored;
    for (const std::string& name : *names) {
      const std::string task = name.substr(0, name.find('.'));
      if (std::ranges::find(tasks, task) == tasks.end()) std::filesystem::remove(folder_ / name, ignored);
    }
  }

 private:
  class Sink final : public ResultSink {
   public:
    Sink(FolderResults& results, std::string task, ResultLines lines)
        : results_(results),
          task_(std::move(task)),
          lines_(std::make_shared<ResultLines>(std::move(lines))) {}

    Result<void> write(std::string_view text) override { return lines_->write(text); }
    Result<void> finish() override {
      AKIN_CHECK(lines_->finish());
      const std::lock_guard lock(results_.mutex_);
      results_.finished_.insert_or_assign(task_, lines_);
      return {};
    }
    std::uint64_t lines() const noexcept override { return lines_->lines(); }

   private:
    FolderResults& results_;
    const std::string task_;
    const std::shared_ptr<ResultLines> lines_;
  };

  const std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ResultLines>> finished_;  ///< guarded by mutex_
};

/// Blocks of complete lines. A block's key ends with the number of the line after it, so the block that
/// contains a line is the first whose key is larger than the line's number.
class StateResults final : public TaskResults {
 public:
  explicit StateResults(std::shared_ptr<state::State> state) : state_(std::move(state)) {}

  Result<std::unique_ptr<ResultSink>> make(const TaskRun& run, std::uint64_t max_bytes) override {
    AKIN_CHECK(state_->erase_all(kTable, state::pair_key(run.task, "")));
    return std::unique_ptr<ResultSink>(std::make_unique<Sink>(*state_, prefix_of(run), max_bytes));
  }

  Result<std::string> page(const TaskRun& run, std::uint64_t offset, std::uint64_t limit) override {
    constexpr std::size_t kBlocksAtOnce = 16;
    const std::string prefix = prefix_of(run);
    std::string page, after = prefix + hex16(offset);
    for (std::uint64_t at = offset; at < offset + limit;) {
      AKIN_TRY(const auto blocks, state_->list(kTable, prefix, after, kBlocksAtOnce));
      for (const state::Entry& block : blocks) {
        const std::string_view lines = take_lines(block, at, offset + limit, prefix.size());
        at += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
        page += lines;
      }
      if (blocks.size() < kBlocksAtOnce) break;
      after = blocks.back().key;
    }
    return page;
  }

  void discard(const std::string& task) override {
    static_cast<void>(state_->erase_all(kTable, state::pair_key(task, "")));
  }

  void keep_only(const std::vector<std::string>&) override {}

 private:
  static constexpr auto kTable = state::Table::task_results;
  static constexpr std::size_t kBlockBytes = std::size_t{256} << 10U;

  static std::string prefix_of(const TaskRun& run) {
    return state::pair_key(run.task, hex16(run.number) + "/");
  }

  /// The lines of a block with numbers in [from, end).
  static std::string_view take_lines(const state::Entry& block, std::uint64_t from, std::uint64_t end,
                                     std::size_t prefix) {
    std::string_view rest = block.value;
    const std::uint64_t next_line = parse_hex16(std::string_view(block.key).substr(prefix)).value_or(0);
    std::uint64_t at = next_line - static_cast<std::uint64_t>(std::ranges::count(rest, '\n'));
    for (; at < from; ++at) rest.remove_prefix(rest.find('\n') + 1);
    std::size_t bytes = 0;
    for (; at < std::min(end, next_line); ++at) bytes = rest.find('\n', bytes) + 1;
    return rest.substr(0, bytes);
  }

  class Sink final : public ResultSink {
   public:
    Sink(state::State& state, std::string prefix, std::uint64_t max_bytes)
        : state_(state), prefix_(std::move(prefix)), max_bytes_(max_bytes) {}

    Result<void> write(std::string_view text) override {
      bytes_ += text.size() + 1;
      if (bytes_ > max_bytes_) return ResultLines::too_large(max_bytes_);
      buffer_ += text;
      buffer_ += '\n';
      ++lines_;
      return buffer_.size() < kBlockBytes ? Result<void>() : finish();
    }
    Result<void> finish() override {
      if (buffer_.empty()) return {};
      AKIN_CHECK(state_.put(kTable, prefix_ + hex16(lines_), buffer_));
      buffer_.clear();
      return {};
    }
    std::uint64_t lines() const noexcept override { return lines_; }

   private:
    state::State& state_;
    const std::string prefix_;
    const std::uint64_t max_bytes_;
    std::uint64_t bytes_ = 0, lines_ = 0;
    std::string buffer_;
  };

  const std::shared_ptr<state::State> state_;
};

}  // namespace

Result<std::unique_ptr<TaskResults>> results_in_folder(const std::filesystem::path& folder) {
  AKIN_CHECK(make_folder(folder));
  return std::unique_ptr<TaskResults>(std::make_unique<FolderResults>(folder));
}

std::unique_ptr<TaskResults> results_in_state(std::shared_ptr<state::State> state) {
  return std::make_unique<StateResults>(std::move(state));
}

}  // namespace akin::tasks
