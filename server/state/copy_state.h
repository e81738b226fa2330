// Copies the server's data other than the collections between a data folder and a database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "server/state/state.h"

namespace akin::state {

/// A state, and where labels and models are: a data folder keeps them as files, a database in tables.
struct StatePlace {
  std::shared_ptr<State> state;  ///< null: a data folder without a state
  std::filesystem::path data;    ///< empty for a database
};

/// A path, or postgres://… . `create` makes a state if there is none.
[[nodiscard]] Result<StatePlace> open_state_place(const std::string& address, bool create);

struct StateCopy {
  std::uint64_t copied = 0;  ///< entries written by this call
  std::uint64_t kept = 0;    ///< that existed already, with equal values
};

/// Copies access keys, policies, checks, watches with their events and positions, gates, groups of
/// duplicates, labels and models; not tasks and their results, which belong to the servers there. First
/// verifies that the target has no entry with the same key and another value; otherwise nothing is copied. A
/// repeated call continues. Every written entry is read back. Errors: already_exists, mismatch (the source or
/// target was written to meanwhile), those of State.
[[nodiscard]] Result<StateCopy> copy_state(const StatePlace& from, const StatePlace& to);

}  // namespace akin::state
