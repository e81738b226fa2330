// Trains support vector machines by libsvm.
#pragma once

#include <vector>

#include "base/error.h"
#include "server/judge/svm.h"

namespace akin::judge {

/// Trains on rows and their classes; `c`: the cost of an example on the wrong side, above 0. Both classes
/// have the same weight, however many examples each has. Deterministic. Error: invalid_argument if only one
/// class occurs. Requires a label for each row.
[[nodiscard]] Result<Hyperplane> train_svm(const Matrix& rows, const std::vector<bool>& labels, double c);

}  // namespace akin::judge
