// Copies the server's data other than the collections between data folders and databases.
#pragma once

#include <cstdint>
#include <string_view>

#include "server/state/state.h"

namespace akin::state {

/// The key in Table::audit of the number and the hash of the last entry; it sorts after the entries.
inline constexpr std::string_view kAuditHead = "head";

struct StateCopy {
  std::uint64_t copied = 0;  ///< entries written by this call
  std::uint64_t kept = 0;    ///< that existed already, with equal values
};

/// Copies access keys, persons, policies, checks with their decisions, watches with their events and
/// positions, gates, groups of duplicates, labels and models, and the audit log unless the target has one of
/// its own; not tasks and their results, nor sessions, which belong to the servers there. First verifies that
/// the target has no entry with the same key and another value, but for the head of an audit log of which it
/// has the beginning; otherwise nothing is copied. A repeated call continues. Every written entry is read
/// back. Errors: already_exists, mismatch (the source or target was written to meanwhile), those of State.
[[nodiscard]] Result<StateCopy> copy_state(const State& from, State& to);

}  // namespace akin::state
