// What a changed policy would have said about checks that were made.
#pragma once

#include "server/check/engine.h"
#include "server/check/policy.h"
#include "server/json/json.h"

namespace akin::check {

/// The verdict that the stored check would have with the policy's thresholds of shares. What was searched for
/// and left out is as it was, and the other reasons stay.
[[nodiscard]] Verdict verdict_with(const json::Json& check, const Policy& policy);

}  // namespace akin::check
