// Whose term it is to follow collections and to deliver events: one server's, of all that share the state.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "server/watch/journal.h"

namespace akin::watch {

/// Held as long as its server lives and reaches the state; another takes it within a poll then. Terms are
/// numbered in the journal, which takes no step of a former one: a server that has lost its term without
/// knowing writes nothing.
class Leadership {
 public:
  explicit Leadership(std::shared_ptr<Journal> journal) noexcept : journal_(std::move(journal)) {}

  /// Whether it is this server's term, which begins if it is nobody's. Of one thread.
  [[nodiscard]] bool keep();
  /// The number of this server's term; 0 while it has none. Any thread.
  [[nodiscard]] std::uint64_t term() const noexcept { return term_; }

 private:
  const std::shared_ptr<Journal> journal_;
  std::unique_ptr<state::Lease> lease_;
  std::atomic<std::uint64_t> term_ = 0;
};

}  // namespace akin::watch
