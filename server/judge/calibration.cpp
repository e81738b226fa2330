#include "server/judge/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace akin::judge {

namespace {

struct Target {
  double decision = 0, value = 0;
};

/// log(1 + exp(x)) without overflow.
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

double loss(std::span<const Target> targets, const Sigmoid& sigmoid) {
  double sum = 0;
  for (const Target& one : targets) {
    const double x = sigmoid.a * one.decision + sigmoid.b;
    sum += softplus(x) - (1 - one.value) * x;
  }
  return sum;
}

/// Derivatives of the loss at a sigmoid: its gradient and its Hessian, the latter made definite.
struct Derivatives {
  double ga = 0, gb = 0, haa = 1e-12, hab = 0, hbb = 1e-12;

  Derivatives(std::span<const Target> targets, const Sigmoid& sigmoid) {
    for (const Target& one : targets) {
      const double p = sigmoid.probability(one.decision);
      const double slope = p * (1 - p);
      const double off = one.value - p;
      haa += one.decision * one.decision * slope;
      hab += one.decision * slope;
      hbb += slope;
      ga += one.decision * off;
      gb += off;
    }
  }
};

/// One step of Newton's method with halving; false if it gains nothing.
bool improve(std::span<const Target> targets, Sigmoid& sigmoid) {
  const Derivatives at(targets, sigmoid);
  if (std::fabs(at.ga) < 1e-8 && std::fabs(at.gb) < 1e-8) return false;
  const double determinant = at.haa * at.hbb - at.hab * at.hab;
  const double da = -(at.hbb * at.ga - at.hab * at.gb) / determinant;
  const double db = -(at.haa * at.gb - at.hab * at.ga) / determinant;
  const double before = loss(targets, sigmoid);
  const double gain = at.ga * da + at.gb * db;
  for (double step = 1; step >= 1e-10; step /= 2) {
    const Sigmoid next{sigmoid.a + step * da, sigmoid.b + step * db};
    if (loss(targets, next) >= before + 1e-4 * step * gain) continue;
    sigmoid = next;
    return true;
  }
  return false;
}

/// The probability down to which, from the largest on, the share of correct classifications is sufficient:
/// midway to the next example, or 0.5 if it suffices for all above that; 2 if it never does.
double reach(std::span<const double> probabilities, const std::vector<bool>& right, double precision) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return probabilities[i] > probabilities[j]; });
  double reached = 2;
  std::size_t so_far = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (probabilities[order[i]] < 0.5) break;
    so_far += right[order[i]] ? 1 : 0;
    const bool last_of_equals =
        i + 1 == order.size() || probabilities[order[i + 1]] < probabilities[order[i]];
    if (!last_of_equals || static_cast<double>(so_far) / static_cast<double>(i + 1) < precision) continue;
    const double next = i + 1 < order.size() ? probabilities[order[i + 1]] : 0;
    reached = next < 0.5 ? 0.5 : (probabilities[order[i]] + next) / 2;
  }
  return reached;
}

}  // namespace

Sigmoid fit_sigmoid(std::span<const double> decisions, const std::vector<bool>& labels) {
  const auto positive = static_cast<double>(std::count(labels.begin(), labels.end(), true));
  const double negative = static_cast<double>(labels.size()) - positive;
  std::vector<Target> targets;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    targets.push_back({decisions[i], labels[i] ? (positive + 1) / (positive + 2) : 1 / (negative + 2)});
  }
  Sigmoid sigmoid{0, std::log((negative + 1) / (positive + 1))};
  for (int round = 0; round < 100 && improve(targets, sigmoid);) ++round;
  sigmoid.a = std::min(sigmoid.a, 0.0);
  return sigmoid;
}

Margins choose_margins(std::span<const double> probabilities, const std::vector<bool>& labels,
                       double precision) {
  std::vector<double> against(probabilities.begin(), probabilities.end());
  for (double& probability : against) probability = 1 - probability;
  std::vector<bool> other = labels;
  other.flip();
  Margins margins;
  margins.yes = reach(probabilities, labels, precision);
  margins.no = 1 - reach(against, other, precision);
  return margins;
}

}  // namespace akin::judge
