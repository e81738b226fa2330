// Derives the verdict from the findings of a check.
#pragma once

#include <cstdint>
#include <optional>

#include "server/check/engine.h"
#include "server/check/policy.h"

namespace akin::check {

/// The number of sources that reach each threshold of the policy.
struct SourcesOver {
  std::uint64_t review = 0, refuse = 0;
};

/// A share reaches a threshold if it is equal or greater; nothing reaches a threshold without a value.
[[nodiscard]] bool reaches(double share, const std::optional<double>& threshold) noexcept;

/// Fills in verdict and reasons, the graver reason of each kind. Requires the rest of the outcome.
void decide_verdict(Outcome& outcome, const Policy& policy, const SourcesOver& over);

}  // namespace akin::check
