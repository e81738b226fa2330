// Records which store a crash of this process hit, so that the next opening keeps it closed (quarantine).
//
// A damaged file can end the process in the middle of a read: a file that has become shorter than its map
// raises SIGBUS, damaged pages make LMDB read astray (SIGSEGV) or fail an assertion (SIGABRT). Without a
// record, the first request after a restart would end the process again.
#pragma once

#include <filesystem>
#include <string_view>

namespace akin {

/// The record of a crash, in the store's folder "gen-N".
inline constexpr std::string_view kQuarantineFile = "QUARANTINE";

/// From here on, a SIGBUS, SIGSEGV, SIGABRT, SIGFPE or SIGILL that this process causes itself leaves a record
/// with the store that it hit: the one whose mapped file has the faulting address, or else the one that the
/// thread uses (store_in_use). The process ends as without this. kill -9, a loss of power, and signals from
/// other processes leave no record. Call it once.
void record_crashes();

/// The path of the record of the store in a folder that exists; it is valid until the process ends.
[[nodiscard]] const char* crash_record_path(const std::filesystem::path& store_folder);

/// crash_record_path of the store that this thread read or wrote last, while it has a transaction there; null
/// without one.
inline thread_local constinit const char* store_in_use = nullptr;

}  // namespace akin
