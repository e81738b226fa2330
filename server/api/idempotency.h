// Idempotency-Key: a request that makes something may be repeated without making it again
// (draft-ietf-httpapi-idempotency-key-header).
//
// The first success is stored in the state, durably, and is the answer to every repetition for a day of lived
// time (state::LivedTime). An error is not stored: nothing was made, so a repetition tries again. If the
// server dies after it has made something and before the answer is stored, a repetition makes it again.
#pragma once

#include <chrono>

#include "base/time.h"
#include "server/api/call.h"

namespace akin::api {

/// How long an answer is replayed.
inline constexpr std::chrono::hours kAnswersKept{24};

/// What a method of the table of paths makes.
enum class Creation : std::uint8_t {
  none,    ///< nothing, or a repetition makes nothing new
  thing,   ///< something whose first answer is replayed
  secret,  ///< the same with a secret, which is not stored: a repetition gets an error that names the thing
};

/// Calls the handler unless the request repeats one with the same Idempotency-Key of the same access key.
/// Answers 422 for another request with it, 409 while the first one is in progress. Error: invalid_argument
/// for a malformed key.
[[nodiscard]] Result<Response> answer_once(const Call& call, Handler handler, Creation creation);

/// Removes the answers that are no longer replayed at this lived time; some hundreds in a call.
[[nodiscard]] Result<void> forget_old_answers(state::State& state, Time lived);

}  // namespace akin::api
