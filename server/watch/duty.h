// Whose turn it is to follow collections and to deliver events: one server's, of all that share the state.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "server/watch/journal.h"

namespace akin::watch {

/// Held as long as its server lives and reaches the state; another takes it within a poll then. Turns are
/// numbered in the journal, which takes no step of a former one: a server that has lost its turn without
/// knowing writes nothing.
class Duty {
 public:
  explicit Duty(std::shared_ptr<Journal> journal) noexcept : journal_(std::move(journal)) {}

  /// Whether it is this server's turn, which begins if it is nobody's. Of one thread.
  [[nodiscard]] bool keep();
  /// The number of this server's turn; 0 while it has none. Any thread.
  [[nodiscard]] std::uint64_t turn() const noexcept { return turn_; }

 private:
  const std::shared_ptr<Journal> journal_;
  std::unique_ptr<state::Lease> lease_;
  std::atomic<std::uint64_t> turn_ = 0;
};

}  // namespace akin::watch
