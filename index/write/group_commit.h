// Group commit: writes that wait for the same store are made together (D. DeWitt et al., "Implementation
// techniques for main memory database systems", SIGMOD 1984).
#pragma once

#include <mutex>
#include <semaphore>

#include "base/error.h"

namespace akin {

/// Thread-safe. The writes of a group succeed together, or are repeated one by one, so that one write's error
/// is its own. An exception out of `make_together` is such an error: the queue continues.
class GroupCommit {
 public:
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

 protected:
  /// On the stack of its writer, and linked: queueing and grouping need no memory, so they cannot fail and
  /// leave the queue shut.
  struct Write {
    Write* next = nullptr;
    Result<void> outcome = {};
    bool done = false;
    std::binary_semaphore woken{0};  ///< once: it is done, or its thread is to make the next group
  };

  GroupCommit() = default;
  ~GroupCommit() = default;
  /// Returns when the write is made, by this or another thread, and has its outcome.
  void make(Write& write);
  /// Makes the writes from `first` to before `end`; may be called several times for one, by any thread.
  /// `began`: whether it got its turn to write. An error before that is that of all that wait.
  virtual Result<void> make_together(Write* first, const Write* end, bool& began) = 0;

 private:
  [[nodiscard]] Write* take_group() noexcept;
  [[nodiscard]] Result<void> try_together(Write* first, const Write* end, bool& began) noexcept;
  /// Returns whether it got a turn to write.
  [[nodiscard]] bool make_group(Write* group) noexcept;
  void refuse_waiting(Write* group);

  std::mutex mutex_;
  Write* first_ = nullptr;  ///< of those that wait
  Write* last_ = nullptr;
  bool making_ = false;  ///< a thread makes a group, or has been woken to do so
};

}  // namespace akin
