// Confines the process that reads one file: after `close_sandbox` it computes, reads and writes what is open,
// and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "extract/client/answer.h"

namespace akin::extract {

struct Limits {
  std::uint64_t memory = std::uint64_t{1} << 30U;  ///< bytes of address space for each file
  std::uint32_t seconds = 60;                      ///< of processor time, for each file
  std::uint32_t most_seconds = 300;                ///< of one with many pages; at least `seconds` count
  bool threads = false;                            ///< it may start threads of its own
};

/// Closes the sandbox for this process, for good. No other thread may run. Afterwards the kernel refuses,
/// with EPERM, every system call but those that allocate memory, read, write, seek and close what is open,
/// and end the process; no descriptor can be opened; a process that takes more than `seconds` of processor
/// time, more by add_pages_read up to `most_seconds`, or kClockFactor times these by the clock, is killed.
/// Threads, where they are allowed, are confined as the process is. Landlock, where the kernel has it,
/// refuses files, networks and signals a second time. Error: io, naming what the kernel refused; the process
/// must then not read files.
[[nodiscard]] Result<void> close_sandbox(const Limits& limits);

/// This process has read so many pages more: for each kPagesOfSecond of them it may take a second of
/// processor time more.
void add_pages_read(std::uint64_t pages) noexcept;
inline constexpr std::uint64_t kPagesOfSecond = 20;

/// The same for a program that this process is about to execute. It may open files for reading below /usr,
/// /bin, /sbin, /lib and /lib64, its own file, and what programs need of /etc and /dev, but no other; it
/// cannot write files, use networks, signal others or start processes, but it may start threads. Landlock is
/// needed. Errors: io, as above; unsupported (the kernel has no Landlock).
[[nodiscard]] Result<void> close_sandbox_for_program(const Limits& limits, const std::string& program);

/// Closes a sandbox, one that allows threads, in a process of its own, tries there to use descriptors above
/// 3, to open a file, to connect, to fork and to execute, and reports what held. Requires a process with one
/// thread.
[[nodiscard]] Sandbox probe_sandbox(const Limits& limits);

}  // namespace akin::extract
