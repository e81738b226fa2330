// The audit log: who did what, when, from where. Entries are only added, and each has the hash of the one
// before, so that a changed or missing entry is found.
//
// An entry is the line
//   {"number":N,"time":…,"by":…,"address":…,"action":…,"about":…,"details":{…},"previous":HASH,"hash":HASH}
// whose own hash is the SHA-256 of the line without `,"hash":HASH`. Numbers count from 1; the first entry has
// the empty string as `previous`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::audit {

/// {"kind","id","name"}; null if nobody is known.
[[nodiscard]] json::Json actor_object(const state::Actor& actor);

/// What is recorded of one action.
struct Event {
  state::Actor by;
  std::string action;                         ///< "check.decision", "key.created" …
  std::string about;                          ///< the id or name of what it is about
  json::Json details = json::Json::object();  ///< its numbers are integers
};

/// Adds an entry in the write of the action itself, so that neither exists without the other.
[[nodiscard]] Result<void> append(state::Writer& writer, const Event& event);
/// The same for an action that changes nothing, such as reading a text.
[[nodiscard]] Result<void> record(state::State& state, const Event& event);
/// Does something to what is not in the state, such as a document, and records it first, so that a crash in
/// between cannot hide it. If `act` fails, an entry with the detail "failed" follows. Without a state,
/// nothing is recorded.
[[nodiscard]] Result<void> record_and_do(state::State* state, const Event& event,
                                         const std::function<Result<void>()>& act);
/// Adds the entry of something that was recorded and then failed.
[[nodiscard]] Result<void> record_failure(state::State& state, Event event, const Error& error);

/// Up to `limit` entries after the one with this number, as lines without their ends.
[[nodiscard]] Result<std::vector<std::string>> lines(const state::State& state, std::uint64_t after,
                                                     std::size_t limit);
/// The newest entries with numbers below `before`, or of all if it is 0; the newest first.
[[nodiscard]] Result<std::vector<std::string>> newest_lines(const state::State& state, std::uint64_t before,
                                                            std::size_t limit);

struct Verified {
  std::uint64_t entries = 0;
  std::string head;                   ///< hash of the last entry; empty without entries
  std::vector<std::string> problems;  ///< "entry 7 was changed"; the first kMostProblems
};
inline constexpr std::size_t kMostProblems = 100;

/// Reads all entries, and compares their hashes.
[[nodiscard]] Result<Verified> verify(const state::State& state);

}  // namespace akin::audit
