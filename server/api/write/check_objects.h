// Checks as JSON; docs/checks.md describes each field.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "server/api/write/objects.h"
#include "server/check/proposals.h"
#include "server/check/run.h"

namespace akin::api {

/// All fields of a check except id, created, title, metadata, admitted and decision. The same request over
/// the same state of the indexes gives the same object, byte for byte.
[[nodiscard]] Json outcome_object(const check::CheckRequest& request, const check::Outcome& outcome);

/// A stored check in a list, from check::summary_of:
/// {"id","created","title","owner","collections","verdict","share","sources_total",
/// "policy","admitted","decision"}; `policy` is its name, `decision` has {"state","proposed","share"}.
[[nodiscard]] Json check_summary(Json summary);

/// {"name", and the fields of policy_object}
[[nodiscard]] Json named_policy_object(std::string_view name, const check::Policy& policy);

/// {"more_than", "templates": [{"documents", "words", "id", "range", "text"}]}
[[nodiscard]] Json proposals_object(std::uint64_t more_than,
                                    const std::vector<check::ProposedTemplate>& proposals);

}  // namespace akin::api
