// The leadership among the servers that share the state: one of them follows collections and delivers events.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "server/watch/journal.h"

namespace akin::watch {

/// A lease that this server holds as long as it lives and reaches the state; then another takes it within a
/// poll. Terms are numbered in the journal, which accepts no step of a former term (fencing): a server that
/// has lost its leadership without noticing writes nothing.
class Leadership {
 public:
  explicit Leadership(std::shared_ptr<Journal> journal) noexcept : journal_(std::move(journal)) {}

  /// Whether this server is the leader; begins a term if nobody leads. Called by one thread.
  [[nodiscard]] bool keep();
  /// The number of this server's term; 0 while it is not the leader. Any thread.
  [[nodiscard]] std::uint64_t term() const noexcept { return term_; }

 private:
  const std::shared_ptr<Journal> journal_;
  std::unique_ptr<state::Lease> lease_;
  std::atomic<std::uint64_t> term_ = 0;
};

}  // namespace akin::watch
