// The thread that merges in the background.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace akin {

struct OpenStore;

/// Merges what is due, after `poke`. The thread starts with the first poke and ends with the object, which
/// interrupts a running merge.
class MergeWorker {
 public:
  explicit MergeWorker(OpenStore& store) noexcept : store_(store) {}
  MergeWorker(const MergeWorker&) = delete;
  MergeWorker& operator=(const MergeWorker&) = delete;
  ~MergeWorker();

  /// Reports that something was written.
  void poke();

 private:
  void run();

  OpenStore& store_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool poked_ = false;
  std::thread thread_;
};

}  // namespace akin
