// Moving a state from one place to another.
#pragma once

#include <cstdint>

#include "server/state/state.h"

namespace akin::state {

/// Copies all entries of all tables into a state that has none, in transactions of some entries each; how
/// many. No server may be at work on either. After an error a part is there. Error also: already_exists (`to`
/// has an entry).
[[nodiscard]] Result<std::uint64_t> copy_state(const State& from, State& to);

}  // namespace akin::state
