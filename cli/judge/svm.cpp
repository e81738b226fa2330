#include "cli/judge/svm.h"

#include <cmath>

namespace akin::judge {

namespace {

double square_distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

}  // namespace

double SupportVectors::decision(std::span<const double> x) const noexcept {
  double sum = -rho;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    sum += coefficients[i] * std::exp(-parameters.gamma * square_distance(x, vectors.row(i)));
  }
  return sum;
}

}  // namespace akin::judge
