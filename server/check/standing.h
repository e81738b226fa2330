// Checks that stand: for as long as their policy says, they are computed again when documents arrive, and a
// different outcome is kept beside the first one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::check {

struct StandingCheck {
  std::string id;
  Time until{}, looked{};                     ///< when it ends, and when it was compared last
  std::map<std::string, std::uint64_t> seen;  ///< by collection: IndexState::stats.last_revision then
};

/// Has a new check stand, if its policy has `stand_days`, in the write that stores it.
[[nodiscard]] Result<void> let_stand(state::Writer& writer, const json::Json& check, Time now);

/// Up to `limit` of them with ids after this one.
[[nodiscard]] Result<std::vector<StandingCheck>> standing_checks(const state::State& state,
                                                                 std::string_view after, std::size_t limit);
[[nodiscard]] Result<void> end_standing(state::State& state, std::string_view id);

/// Notes what a standing check was compared with. A later outcome, if there is one, takes the place of an
/// earlier later one: the check gets `later`, {"time", "verdict", "share", "letters", "sources_total"}, and
/// the event check.updated is written. Does nothing if the check is gone.
[[nodiscard]] Result<void> note_look(state::State& state, const StandingCheck& look,
                                     const std::optional<json::Json>& later_outcome);

/// The whole later outcome of a check. Errors: not_found (it has none), corrupt.
[[nodiscard]] Result<json::Json> later_outcome(const state::State& state, std::string_view id);

/// Removes the later outcome of a check, if it has one.
[[nodiscard]] Result<void> forget_later(state::State& state, std::string_view id);

}  // namespace akin::check
