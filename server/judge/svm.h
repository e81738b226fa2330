// A support vector machine with two classes and a separating hyperplane (Cortes and Vapnik 1995), as Andreev
// and others describe it (their section 6.1).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/error.h"

namespace akin::judge {

/// Rows of equal length, one after another.
struct Matrix {
  std::size_t columns = 0;
  std::vector<double> values;

  [[nodiscard]] std::size_t rows() const noexcept { return columns == 0 ? 0 : values.size() / columns; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return std::span(values).subspan(i * columns, columns);
  }
  void add(std::span<const double> row) { values.insert(values.end(), row.begin(), row.end()); }
};

/// The result of training: decision(x) = sum of weight[i] * x[i] - rho.
struct Hyperplane {
  double c = 1;  ///< the cost of an example on the wrong side, with which it was trained
  double rho = 0;
  std::vector<double> weights;  ///< one for each column

  /// Above 0: the class `true`. Requires as many values as there are weights.
  [[nodiscard]] double decision(std::span<const double> x) const noexcept;
};

/// Trains on rows and their classes; `c`: the cost of an example on the wrong side, above 0. Both classes
/// have the same weight, however many examples each has. Deterministic. Error: invalid_argument if only one
/// class occurs. Requires a label for each row.
[[nodiscard]] Result<Hyperplane> train_svm(const Matrix& rows, const std::vector<bool>& labels, double c);

}  // namespace akin::judge
