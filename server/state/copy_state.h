// What a server keeps beside the collections, copied between a data folder and a database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "server/state/state.h"

namespace akin::state {

/// A state, and where labels and models are: in a data folder they are files, in a database they are tables.
struct StatePlace {
  std::shared_ptr<State> state;  ///< null: a data folder that has none
  std::filesystem::path data;    ///< empty of a database
};

/// A path, or postgres://… . `create` makes a state where there is none.
[[nodiscard]] Result<StatePlace> open_state_place(const std::string& address, bool create);

struct StateCopy {
  std::uint64_t copied = 0;  ///< entries written by this call
  std::uint64_t kept = 0;    ///< that were there, and equal
};

/// Copies access keys, policies, checks, watches with their events and places, gates, groups of duplicates,
/// labels and models; not tasks and their results, which are work of the servers there. First looks whether
/// the target has an entry by the same key with another value: then nothing is copied. Called again it goes
/// on. What it has written it has read again. Errors: already_exists, mismatch (it was written into
/// meanwhile), those of State.
[[nodiscard]] Result<StateCopy> copy_state(const StatePlace& from, const StatePlace& to);

}  // namespace akin::state
