// What a measurement asks of its own process and of the machine: memory, one core only, pages of files given
// back.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>

namespace akin::bench {

/// Bytes of memory, from /proc/self/status.
struct Memory {
  std::uint64_t resident = 0;  ///< all that is resident, pages of mapped files too (the kernel can drop them)
  std::uint64_t anonymous = 0;  ///< what only this process holds
};

[[nodiscard]] Memory memory_now();

/// Bytes of memory that the machine has.
[[nodiscard]] std::uint64_t machine_memory();

/// Looks at the memory every 5 ms while it lives.
class MemoryWatch {
 public:
  MemoryWatch();
  /// The largest values seen so far.
  [[nodiscard]] Memory peak() const noexcept { return {resident_, anonymous_}; }

 private:
  void look() noexcept;

  std::atomic<std::uint64_t> resident_{0}, anonymous_{0};
  std::jthread thread_;
};

/// Keeps this thread, and those that it starts from now on, on one core.
void stay_on_one_core();

/// Processor time of this thread so far, in seconds: on a busy machine it varies less than time on the clock.
[[nodiscard]] double thread_seconds();

/// The same of all threads of this process, in the kernel too.
[[nodiscard]] double process_seconds();

/// Asks the kernel to forget the pages of all files below a folder and returns the share of them (0 … 1) that
/// it still holds. Pages that a process maps stay.
[[nodiscard]] double drop_cached_pages(const std::filesystem::path& folder);

/// Bytes that the files below a folder take on the disk (holes take none).
[[nodiscard]] std::uint64_t disk_bytes(const std::filesystem::path& folder);

}  // namespace akin::bench
