// Calibrates a classifier by its decisions on held-out examples.
#pragma once

#include <span>
#include <vector>

#include "server/judge/classification.h"

namespace akin::judge {

/// Fits a sigmoid to decisions on examples that were held out of training: Platt, "Probabilistic outputs for
/// support vector machines" (1999), minimised as by Lin, Lin and Weng (2007). With few examples its targets
/// stay away from 0 and 1. Requires a label for each decision; a falling slope is replaced by 0.
[[nodiscard]] Sigmoid fit_sigmoid(std::span<const double> decisions, const std::vector<bool>& labels);

/// The widest margins with which classifications on the held-out examples are right in at least the share
/// `precision` of the `yes` classifications, and of the `no` classifications: each lies midway between two
/// examples, or at 0.5. If no margin reaches the precision, that classification is never given.
[[nodiscard]] Margins choose_margins(std::span<const double> probabilities, const std::vector<bool>& labels,
                                     double precision);

}  // namespace akin::judge
