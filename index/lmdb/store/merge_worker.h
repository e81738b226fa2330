// The thread that merges in the background.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace akin {

struct OpenStore;

/// Merges what is due, after `poke`. The thread starts with a poke and ends when there has been nothing to do
/// for a few seconds; destroying the object interrupts a running merge.
class MergeWorker {
 public:
  explicit MergeWorker(OpenStore& store) noexcept : store_(store) {}
  MergeWorker(const MergeWorker&) = delete;
  MergeWorker& operator=(const MergeWorker&) = delete;
  ~MergeWorker();

  /// Reports that something was written. If no thread can be started, the next poke tries again.
  void poke() noexcept;
  [[nodiscard]] bool is_merging() const;

 private:
  void run();

  OpenStore& store_;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  bool poked_ = false;
  bool merging_ = false;
  bool running_ = false;  ///< reset by the thread as its last act
  std::thread thread_;
};

}  // namespace akin
