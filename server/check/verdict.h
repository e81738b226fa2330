// From what a check found to its verdict.
#pragma once

#include <cstdint>
#include <optional>

#include "server/check/engine.h"
#include "server/check/policy.h"

namespace akin::check {

/// How many sources reach a threshold of the policy.
struct SourcesOver {
  std::uint64_t review = 0, refuse = 0;
};

/// A share that is as large as its threshold reaches it; none reaches a threshold that is not there.
[[nodiscard]] bool reaches(double share, const std::optional<double>& threshold) noexcept;

/// Fills in verdict and reasons, of each kind the graver one. Requires the rest of the outcome.
void judge(Outcome& outcome, const Policy& policy, const SourcesOver& over);

}  // namespace akin::check
