// A support vector machine with two classes and a radial kernel (Cortes and Vapnik 1995), trained by libsvm.
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

struct SvmParameters {
  double c = 1;      ///< the cost of an example on the wrong side
  double gamma = 1;  ///< kernel(x, y) = exp(-gamma * |x - y|^2)
};

/// The result of training: decision(x) = sum of coefficient[i] * kernel(x, vector i) - rho. libsvm's own
/// reader of models trusts their files, so akin keeps the vectors in a file of its own and evaluates them
/// here.
struct SupportVectors {
  SvmParameters parameters;
  double rho = 0;
  Matrix vectors;
  std::vector<double> coefficients;  ///< one for each vector

  /// Above 0: the class `true`. Requires as many values as there are columns.
  [[nodiscard]] double decision(std::span<const double> x) const noexcept;
};

/// Trains on rows and their classes. Both classes have the same weight, however many examples each has.
/// Deterministic. Error: invalid_argument if only one class occurs. Requires a label for each row.
[[nodiscard]] Result<SupportVectors> train_svm(const Matrix& rows, const std::vector<bool>& labels,
                                               const SvmParameters& parameters);

}  // namespace akin::judge
