#include "index/lmdb/store/merge_worker.h"

#include <chrono>
#include <utility>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "index/lmdb/store/merge.h"

namespace akin {

namespace {
/// During a stream of small writes, checks for due merges are at least this far apart.
constexpr std::chrono::milliseconds kPause{100};
/// After this long without a poke the thread merges what it left while there were writes. After as long again
/// it ends, so that collections that nobody writes to have none.
constexpr std::chrono::seconds kIdle{5};
}  // namespace

MergeWorker::~MergeWorker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void MergeWorker::poke() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (poked_ || stop_) return;
    const auto started = without_exceptions([this]() -> Result<void> {
      if (running_) return {};
      if (thread_.joinable()) thread_.join();
      thread_ = std::thread([this] { run(); });
      running_ = true;
      return {};
    });
    note_failure_of(Round::merge, started);
    poked_ = !started.has_error();
  }
  changed_.notify_all();
}

bool MergeWorker::is_merging() const {
  const std::lock_guard lock(mutex_);
  return merging_;
}

void MergeWorker::run() {
  for (bool rested = false;;) {
    MergeEffort effort = MergeEffort::background;
    {
      std::unique_lock lock(mutex_);
      merging_ = false;
      if (changed_.wait_for(lock, kIdle, [this] { return poked_ || stop_; })) {
        changed_.wait_for(lock, kPause, [this] { return stop_.load(); });
        rested = false;
      } else if (std::exchange(rested, true)) {
        running_ = false;
        return;
      } else {
        effort = MergeEffort::at_rest;
      }
      if (stop_) return;
      poked_ = false;
      merging_ = true;
    }
    // After a failure (a full disk, damage) the next poke tries again.
    for (bool more = true; more && !stop_;) {
      const Result<bool> merged =
          without_exceptions([&] { return merge_once(store_, effort, std::chrono::milliseconds(0), stop_); });
      note_failure_of(Round::merge, merged);
      more = !merged.has_error() && *merged;
    }
  }
}

}  // namespace akin
