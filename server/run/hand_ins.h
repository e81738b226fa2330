// Checks that are made after their request was answered: handed in, stored, worked off in turns.
//
// Table check_tasks has a task for each until it is done; its parameters say what was handed in, and name the
// bytes that are kept for it (check/kept_bytes.h). The check that the task makes is stored in the same write
// that removes the task, so there is one outcome, whenever a server ends.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "server/run/checking.h"
#include "server/tasks/tasks.h"

namespace akin::api {

/// A file of more bytes is always handed in.
inline constexpr std::size_t kMostAtOnceBytes = std::size_t{16} << 20U;

/// Opens the hand-ins of the service's state, and works them off on threads of its own. The service needs
/// `state`, `catalog` and `checks`. Errors: as tasks::Tasks::open.
[[nodiscard]] Result<std::shared_ptr<tasks::Tasks>> open_hand_ins(const Service& service,
                                                                  const std::filesystem::path& folder,
                                                                  unsigned threads);

/// Stores what was handed in, durably, and queues it; `body` as for make_check. Requires `hand_ins`. Errors:
/// busy (too many wait), disk_full (also if the files of checks take all their space).
[[nodiscard]] Result<tasks::TaskInfo> hand_in(const Service& service, AskedCheck asked, const Request& body);

/// Cancels one, and removes all that is kept for it. Error: not_found.
[[nodiscard]] Result<void> withdraw(const Service& service, const tasks::TaskInfo& task);

/// "received", "extracting", "comparing" or "failed".
[[nodiscard]] std::string_view hand_in_state(const tasks::TaskInfo& task) noexcept;
/// {"id", "created", "key", "title", "owner", "collections", "policy", "bytes", "state", "progress", "error"}
[[nodiscard]] Json hand_in_object(const tasks::TaskInfo& task);

/// Removes what was handed in of this owner's texts, done or not, with all that is kept for it; for a process
/// that does not work it off.
[[nodiscard]] Result<void> forget_hand_ins(state::State& state, const std::string& owner);

/// Withdraws those that failed longer ago than a week.
[[nodiscard]] Result<void> forget_failed(const Service& service, Time now);

}  // namespace akin::api
