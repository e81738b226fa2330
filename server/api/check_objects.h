// Checks as JSON: docs/checks.md tells each field.
#pragma once

#include <string_view>

#include "server/api/objects.h"
#include "server/check/run.h"

namespace akin::api {

/// All of a check but id, created, title, metadata and admitted. One request over indexes of one state gives
/// the same object, to the byte.
[[nodiscard]] Json outcome_object(const check::CheckRequest& request, const check::Outcome& outcome);

/// A stored check in a list: {"id","created","title","owner","collections","verdict","share","sources_total",
/// "policy","admitted"}; `policy` is its name.
[[nodiscard]] Json check_summary(const Json& check);

/// {"name", and the fields of policy_object}
[[nodiscard]] Json named_policy_object(std::string_view name, const check::Policy& policy);

}  // namespace akin::api
