// Group commit: writes that wait for the same disk share one transaction (D. DeWitt et al., "Implementation
// techniques for main memory database systems", SIGMOD 1984).
#pragma once

#include <functional>
#include <mutex>
#include <semaphore>

#include "index/lmdb/documents/document_batch.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// Thread-safe. The writes of a group succeed together, or are repeated one by one, so that one write's error
/// is its own. An exception out of a body, or out of the commit, is such an error: the queue continues.
class WriteQueue {
 public:
  using Body = std::function<Result<void>(DocumentBatch&)>;

  WriteQueue(lmdb::Env& env, const Tables& tables) noexcept : env_(env), tables_(tables) {}

  /// Runs `body` on a batch and commits it; durable when it returns. `body` may run several times, in any
  /// thread; the result of its last run counts. Errors: those of `body`, and of Env::write.
  [[nodiscard]] Result<void> write(const Body& body);

  /// Runs of postings after the last write.
  [[nodiscard]] std::size_t runs() const;

 private:
  /// On the stack of its writer, and linked: queueing and grouping need no memory, so they cannot fail and
  /// leave the queue shut.
  struct Request {
    const Body* body;
    Request* next = nullptr;
    Result<void> outcome = {};
    bool done = false;
    std::binary_semaphore woken{0};  ///< once: it is done, or its thread is to commit
  };
  [[nodiscard]] Request* take_group() noexcept;
  /// Returns whether a transaction began.
  [[nodiscard]] bool commit(Request* group) noexcept;
  void refuse_waiting(Request* group);
  [[nodiscard]] Result<void> commit_together(Request* first, const Request* end, bool& began) noexcept;

  lmdb::Env& env_;
  const Tables& tables_;
  mutable std::mutex mutex_;
  Request* first_ = nullptr;  ///< of those that wait
  Request* last_ = nullptr;
  bool committing_ = false;  ///< a thread commits, or has been woken to do so
  std::size_t runs_ = 0;
};

}  // namespace akin
