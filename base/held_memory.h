// The memory that a request's work takes beside its body and its answer, counted before it is taken, so that
// many requests together, or one small one, cannot take all of the machine's.
#pragma once

#include <cstddef>
#include <utility>

#include "base/error.h"

namespace akin {

/// Bytes that a byte of text may take while it is analysed, stored or searched for: its words, its features
/// and their places.
inline constexpr std::size_t kTextWork = 40;

/// The machine's memory, or that of the control group if it is less, in bytes.
[[nodiscard]] std::size_t available_memory();

/// What the work of threads may take. Thread-safe.
class MemoryAccount {
 public:
  virtual ~MemoryAccount() = default;
  /// Errors: too_large (more than there can be), busy (more than is free now); each in words for the client.
  [[nodiscard]] virtual Result<void> take(std::size_t bytes) = 0;
  virtual void give_back(std::size_t bytes) noexcept = 0;
};

/// While it exists, this thread's work takes its memory from the account, which must outlive what is held.
class WorkAccount {
 public:
  explicit WorkAccount(MemoryAccount& account) noexcept;
  WorkAccount(const WorkAccount&) = delete;
  WorkAccount& operator=(const WorkAccount&) = delete;
  ~WorkAccount();

 private:
  MemoryAccount* before_;
};

/// Memory of this thread's work, given back on destruction.
class HeldMemory {
 public:
  /// Nothing is counted on a thread without an account. Errors: as MemoryAccount::take.
  [[nodiscard]] static Result<HeldMemory> take(std::size_t bytes);
  HeldMemory(HeldMemory&& other) noexcept
      : account_(std::exchange(other.account_, nullptr)), bytes_(other.bytes_) {}
  HeldMemory& operator=(HeldMemory&&) = delete;
  ~HeldMemory() {
    if (account_ != nullptr) account_->give_back(bytes_);
  }

 private:
  HeldMemory(MemoryAccount* account, std::size_t bytes) noexcept : account_(account), bytes_(bytes) {}
  MemoryAccount* account_;
  std::size_t bytes_;
};

}  // namespace akin
