#include "index/lmdb/merge_worker.h"

#include <chrono>

#include "index/lmdb/merge.h"

namespace akin {

namespace {
/// During a stream of small writes, checks for due merges are at least this far apart.
constexpr std::chrono::milliseconds kPause{100};
}  // namespace

MergeWorker::~MergeWorker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void MergeWorker::poke() {
  {
    const std::lock_guard lock(mutex_);
    if (poked_ || stop_) return;
    poked_ = true;
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_all();
}

void MergeWorker::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return poked_ || stop_; });
      changed_.wait_for(lock, kPause, [this] { return stop_.load(); });
      if (stop_) return;
      poked_ = false;
    }
    // A failure here (a full disk, damage, another process that merges) also fails a write or `verify`, which
    // reports it; the next poke tries again.
    for (bool more = true; more && !stop_;) {
      const Result<bool> merged =
          merge_once(store_, MergeEffort::background, std::chrono::milliseconds(0), stop_);
      more = !merged.has_error() && *merged;
    }
  }
}

}  // namespace akin
