// Waits for what others hold: a lock, the disk, a database, another process. A thread that waits lets others
// work, and ends its wait when nobody wants its work any more.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "base/error.h"

namespace akin {

/// A thread's place among those that work, which it gives up while it waits.
class WorkPlace {
 public:
  virtual void leave() noexcept = 0;
  /// Does not wait.
  virtual void return_to() noexcept = 0;
  /// Calls `part`, which must not throw, on this thread and on others that have nothing else to do, until it
  /// returns false; returns when no call is under way. `parts`: how many calls there are to be.
  virtual void share(std::size_t parts, const std::function<bool()>& part) noexcept = 0;

 protected:
  ~WorkPlace() = default;
};

/// While it exists, this thread works at the place and for a stop token: what it begins is to end when a stop
/// is requested. The place must outlive it; null: none.
class WorkUnder {
 public:
  WorkUnder(WorkPlace* place, std::stop_token stop) noexcept;
  WorkUnder(const WorkUnder&) = delete;
  WorkUnder& operator=(const WorkUnder&) = delete;
  ~WorkUnder();

 private:
  std::stop_token stop_;
  WorkPlace* place_before_;
  const std::stop_token* stop_before_;
};

/// Null: none.
[[nodiscard]] WorkPlace* place_of_work() noexcept;
/// The stop of this thread's work; outside of WorkUnder one that never comes.
[[nodiscard]] const std::stop_token& stop_of_work() noexcept;

/// The error of work that was stopped: busy.
[[nodiscard]] Error stopped_work();
/// That error, if this thread's work was stopped. Work that may take long looks at it between its pieces,
/// each of a few milliseconds.
[[nodiscard]] Result<void> check_work();

/// Sleeps while others work. Error: busy (the work was stopped).
[[nodiscard]] Result<void> pause_work(std::chrono::milliseconds pause);

/// While it exists, this thread only waits, and its place is free for others. Nothing for a thread without a
/// place.
class Waiting {
 public:
  Waiting() noexcept;
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting();

 private:
  WorkPlace* place_;
};

/// Locks a mutex that others hold only for a bounded time.
template <class Mutex>
[[nodiscard]] std::unique_lock<Mutex> lock_waiting(Mutex& mutex) {
  std::unique_lock lock(mutex, std::try_to_lock);
  if (lock.owns_lock()) return lock;
  const Waiting waiting;
  lock.lock();
  return lock;
}

/// Whether a wait ended as wanted.
enum class Waited { done, too_long, stopped };

/// Sleeps for a pause that grows with the time waited since `begin`, from 50 µs to 5 ms.
void pause_before_retry(std::chrono::steady_clock::time_point begin) noexcept;

/// Repeats `attempt`, which returns whether it succeeded, until it does, for at most `patience`.
template <class Attempt>
[[nodiscard]] Waited wait_for(std::chrono::milliseconds patience, Attempt&& attempt) {
  if (attempt()) return Waited::done;
  const Waiting waiting;
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    if (stop_of_work().stop_requested()) return Waited::stopped;
    pause_before_retry(begin);
    if (attempt()) return Waited::done;
    if (std::chrono::steady_clock::now() - begin >= patience) return Waited::too_long;
  }
}

}  // namespace akin
