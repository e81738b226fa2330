// A support vector machine with two classes and a radial kernel (Cortes and Vapnik 1995).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

}  // namespace akin::judge
