// Few threads of a large pool run at a time. One that waits, for the disk or for other threads, lets another
// one run meanwhile, so that requests which only wait do not keep others from being handled.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace akin {

/// How many threads may run. Must outlive what is held. Thread-safe.
class RunPermits {
 public:
  explicit RunPermits(std::size_t count) noexcept : free_(count) {}
  RunPermits(const RunPermits&) = delete;
  RunPermits& operator=(const RunPermits&) = delete;

  /// This thread's permit; the constructor waits for it. A thread holds at most one.
  class Held {
   public:
    explicit Held(RunPermits& permits) noexcept;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held();
  };

  /// While it exists, this thread's permit is free for others; the destructor waits for it, before all
  /// threads that have not run yet. Nothing for a thread without a permit.
  class Waiting {
   public:
    Waiting() noexcept;
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting();

   private:
    RunPermits* permits_;
  };

 private:
  void take() noexcept;
  void take_back() noexcept;
  void give() noexcept;

  std::mutex mutex_;
  std::condition_variable for_new_, for_returning_;
  std::size_t free_;
  std::size_t returning_ = 0;  ///< threads that wait for the permit they had
};

}  // namespace akin
