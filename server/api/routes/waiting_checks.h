// Checks that have been handed in and are not done, in requests and answers.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "server/api/call.h"
#include "server/run/hand_ins.h"

namespace akin::api {

inline constexpr std::array<std::string_view, 4> kHandInStates = {"received", "extracting", "comparing",
                                                                  "failed"};

/// Whether the check is made after its request was answered: the client prefers it (RFC 7240,
/// "respond-async"), or its file is large.
[[nodiscard]] bool is_to_wait(const Call& call, const AskedCheck& asked);
/// Hands the check in. The answer is 202 with the path of the check in Location. Errors: not_found (a
/// collection), as hand_in.
[[nodiscard]] Result<Response> accept_check(const Call& call, AskedCheck asked);

/// The check that the path names, if it is not done and the request's key may see it.
[[nodiscard]] Result<std::optional<tasks::TaskInfo>> waiting_check(const Call& call);
/// The answer to a request for such a check: 202.
[[nodiscard]] Response waiting_response(const tasks::TaskInfo& task);
/// All that the request's key may see, as hand_in_object, the newest first; empty where nothing is handed in.
[[nodiscard]] Result<std::vector<Json>> waiting_checks(const Call& call);

}  // namespace akin::api
