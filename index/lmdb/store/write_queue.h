// The writes of one environment.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "index/lmdb/documents/document_batch.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/tables.h"
#include "index/write/group_commit.h"

namespace akin {

/// Thread-safe: writes that wait for the same disk share one transaction.
class WriteQueue final : GroupCommit {
 public:
  using Body = std::function<Result<void>(DocumentBatch&)>;

  WriteQueue(lmdb::Env& env, const Tables& tables) noexcept : env_(env), tables_(tables) {}

  /// Runs `body` on a batch and commits it; durable when it returns. `body` may run several times, in any
  /// thread; the result of its last run counts. Errors: those of `body`, and of Env::write.
  [[nodiscard]] Result<void> write(const Body& body);

  /// Runs of postings after the last write.
  [[nodiscard]] std::size_t runs() const noexcept { return runs_; }

 private:
  struct Request : Write {
    const Body* body;
  };
  Result<void> make_together(Write* first, const Write* end, bool& began) override;

  lmdb::Env& env_;
  const Tables& tables_;
  std::atomic<std::size_t> runs_ = 0;
};

}  // namespace akin
