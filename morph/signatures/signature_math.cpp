#include "morph/signatures/signature_math.h"

#include <algorithm>
#include <cmath>

namespace akin {
namespace {

/// Ranges up to this one are summed term by term.
constexpr double kSummedRange = 65'536;

/// Expected number of common supershingles below which two common ones are rare.
constexpr double kFewGroups = 0.5;

/// (1-u) ln(1-u) + u for 0 <= u < 1: the sum of u^k / (k (k-1)) over k >= 2.
double missing_entropy(double u) noexcept {
  if (u > 0.25) return (1 - u) * std::log1p(-u) + u;
  double sum = 0;
  double power = u;
  for (int k = 2; k < 40; ++k) {
    power *= u;
    sum += power / (k * (k - 1.0));
  }
  return sum;
}

}  // namespace

double supershingle_probability(double similarity, Grouping grouping) noexcept {
  const double one = std::pow(similarity, static_cast<double>(grouping.size));
  return -std::expm1(static_cast<double>(grouping.groups) * std::log1p(-one));
}

double megashingle_probability(double similarity, Grouping grouping) noexcept {
  if (grouping.groups < 2) return 0;
  const auto groups = static_cast<double>(grouping.groups);
  const double one = std::pow(similarity, static_cast<double>(grouping.size));
  if (groups * one > kFewGroups) {
    return supershingle_probability(similarity, grouping) - groups * one * std::pow(1 - one, groups - 1);
  }
  // The difference would lose its digits, so this sums C(g,k) q^k (1-q)^(g-k) over k >= 2, whose terms fall
  // fast.
  double term = groups * (groups - 1) / 2 * one * one * std::pow(1 - one, groups - 2);
  double sum = 0;
  for (double k = 2; k <= groups && term > sum * 1e-17; ++k) {
    sum += term;
    term *= (groups - k) / (k + 1) * one / (1 - one);
  }
  return sum;
}

double half_similarity(Grouping grouping) noexcept {
  const double one = -std::expm1(std::log(0.5) / static_cast<double>(grouping.groups));
  return std::pow(one, 1 / static_cast<double>(grouping.size));
}

std::optional<Grouping> choose_grouping(double similarity, double recall, std::uint64_t functions) noexcept {
  for (std::uint64_t size = functions; size >= 1; --size) {
    const std::uint64_t most = functions / size;
    if (supershingle_probability(similarity, {most, size}) < recall) continue;
    // The probability grows with the number of groups.
    std::uint64_t low = 1;
    std::uint64_t high = most;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (supershingle_probability(similarity, {middle, size}) < recall) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Grouping{low, size};
  }
  return std::nullopt;
}

double hash_range(unsigned bits) noexcept { return std::ldexp(1.0, static_cast<int>(bits)); }

double collision_probability(double values, double range) noexcept {
  if (values > range) return 1;
  if (values <= 1) return 0;
  // The sum of ln(1 - i/R) over i < N.
  double sum = 0;
  if (range <= kSummedRange) {
    for (double i = 1; i < values; ++i) sum += std::log1p(-i / range);
    return -std::expm1(sum);
  }
  if (values == range) return 1;
  // By Euler and Maclaurin: integral, end points, first derivatives.
  const double u = values / range;
  sum = -range * missing_entropy(u) - std::log1p(-u) / 2 + (1 / range - 1 / (range - values)) / 12;
  return -std::expm1(sum);
}

double collision_probability_approximation(double values, double range) noexcept {
  return -std::expm1(-values * values / (2 * range));
}

double values_for_collision(double probability, double range) noexcept {
  return std::sqrt(-2 * range * std::log1p(-probability));
}

double birthday_bound(double range) noexcept { return std::sqrt(range); }

double expected_colliding_pairs(double values, double range) noexcept {
  return values * (values - 1) / 2 / range;
}

double expected_lost_values(double values, double range) noexcept {
  // N - R (1 - e^-t) with t = -N ln(1 - 1/R), as R (t - 1 + e^-t) - (R t - N), both by their series if the
  // differences would lose all digits.
  const double t = -values * std::log1p(-1 / range);
  if (t > 0.1) return values + range * std::expm1(-t);
  double bend = 0;
  double term = t;
  for (int k = 2; k < 16; ++k) {
    term *= -t / k;
    bend -= term;
  }
  double excess = 0;
  double power = 1;
  for (int k = 1; k < 60; ++k) {
    power /= range;
    excess += power / (k + 1);
  }
  return range * bend - values * excess;
}

}  // namespace akin
