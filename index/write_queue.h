// Group commit: writes that wait for the same disk share one transaction (D. DeWitt et al., "Implementation
// techniques for main memory database systems", SIGMOD 1984).
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "index/lmdb.h"

namespace akin {

/// Thread-safe. The writes of a group succeed together, or are repeated one by one, so that one write's error
/// is its own.
class WriteQueue {
 public:
  using Body = std::function<Result<void>(lmdb::WriteTxn&)>;

  explicit WriteQueue(lmdb::Env& env) noexcept : env_(env) {}

  /// As Env::write; durable when it returns. `body` may run several times, in any thread; its last run tells.
  [[nodiscard]] Result<void> write(const Body& body);

 private:
  struct Request {
    const Body* body;
    Result<void> outcome;
    bool done = false;
  };
  void commit(const std::vector<Request*>& group);

  lmdb::Env& env_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request*> waiting_;
  bool committing_ = false;
};

}  // namespace akin
