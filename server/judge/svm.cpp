#include "server/judge/svm.h"

#include <numeric>

namespace akin::judge {

double Hyperplane::decision(std::span<const double> x) const noexcept {
  return std::inner_product(weights.begin(), weights.end(), x.begin(), -rho);
}

}  // namespace akin::judge
