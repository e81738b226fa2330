// Erasing what entries of the audit log say, without breaking the log.
//
// An erased entry keeps its number, time, action and both hashes; `by` is null, `address` and `about` are
// empty and `details` are {"erased":true}. Its own hash can no longer be computed from it. An entry
// "log.erased", whose details are {"entries":[[NUMBER,HASH],…]}, vouches for it: verify() accepts an erased
// entry only if a later one names it with its hash.
#pragma once

#include <cstdint>
#include <functional>

#include "base/error.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::audit {

inline constexpr const char* kErasingAction = "log.erased";

/// Erases all entries that `matches`, except those that vouch for erased ones; returns how many.
[[nodiscard]] Result<std::uint64_t> erase_entries(state::State& state,
                                                  const std::function<bool(const json::Json& entry)>& matches,
                                                  const state::Actor& by);

}  // namespace akin::audit
