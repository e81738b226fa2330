// Failures of work that nobody waits for: counted, and warned of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// Work that a process does by itself. After a failure a later round tries again, but for `task`.
enum class Round : std::uint8_t {
  merge,                ///< merging a data folder's postings, in a thread of its own
  merge_while_writing,  ///< the same in a writer's thread, which that thread cannot keep up with
  merge_in_database,
  drop_unused_stores,        ///< of a database: replaced generations, and those never finished
  drop_unused_dictionaries,  ///< of a database
  expiry,                    ///< removing expired collections and what is stored about them
  scrub,                     ///< looking for damage
  watches,                   ///< following the collections that have watches
  task,                      ///< a task: a client started it, and may never ask how it ended
};
inline constexpr std::array<std::string_view, 9> kRoundNames{"merge",
                                                             "merge_while_writing",
                                                             "merge_in_database",
                                                             "drop_unused_stores",
                                                             "drop_unused_dictionaries",
                                                             "expiry",
                                                             "scrub",
                                                             "watches",
                                                             "task"};

// The functions below concern the process, and may be called from any thread.

/// Counts a failure. Warns of it, unless it did so for an error of the same code in the same kind of round
/// less than a minute ago: the next warning then says how many there were in between. Warns of each task.
void note_failure(Round round, const Error& error) noexcept;

/// The same, if the outcome is an error.
template <class Value>
void note_failure_of(Round round, const Result<Value>& outcome) noexcept {
  if (outcome.has_error()) note_failure(round, outcome.error());
}

/// How often rounds have failed since the process started.
[[nodiscard]] std::uint64_t failures_of(Round round) noexcept;

/// Takes a warning, one line. May throw: the warning is then lost.
using WarnOfFailure = void (*)(const std::string& line);

/// From now on warnings go to `warn`; null, as at the start: nowhere. Warnings may be given from now on that
/// were suppressed before.
void warn_of_failures(WarnOfFailure warn) noexcept;

}  // namespace akin
