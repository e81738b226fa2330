// A control group that limits memory, pages of files too, as a machine with less memory would.
#pragma once

#include <cstdint>
#include <filesystem>

namespace akin::bench {

/// A memory control group (version 1 or 2) of its own, below the root of the hierarchy; removed with the
/// object, when no process may be in it any more.
class MemoryLimit {
 public:
  /// Throws Skipped where this process may not make such a group.
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  /// Moves this process into the group. What it touched before, and pages of files that are cached already,
  /// do not count. Throws Skipped.
  void join() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace akin::bench
