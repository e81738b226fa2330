// Trains support vector machines by libsvm.
#pragma once

#include <vector>

#include "base/error.h"
#include "cli/judge/svm.h"

namespace akin::judge {

/// Trains on rows and their classes. Both classes have the same weight, however many examples each has.
/// Deterministic. Error: invalid_argument if only one class occurs. Requires a label for each row.
[[nodiscard]] Result<SupportVectors> train_svm(const Matrix& rows, const std::vector<bool>& labels,
                                               const SvmParameters& parameters);

}  // namespace akin::judge
