// From a decision value to a probability, and from probabilities to verdicts in three ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace akin::judge {

/// probability = 1 / (1 + exp(a * decision + b)); a is below 0, so that it grows with the decision.
struct Sigmoid {
  double a = -1, b = 0;
  [[nodiscard]] double probability(double decision) const noexcept;
};

/// Fits a sigmoid to decisions on examples that were held out of training: Platt, "Probabilistic outputs for
/// support vector machines" (1999), minimised as Lin, Lin and Weng (2007) do. With few examples its targets
/// keep away from 0 and 1. Requires a label for each decision; a slope that would fall is held at 0.
[[nodiscard]] Sigmoid fit_sigmoid(std::span<const double> decisions, const std::vector<bool>& labels);

enum class Verdict : std::uint8_t { no, undecided, yes };

/// "yes", "undecided" or "no"
[[nodiscard]] std::string_view verdict_name(Verdict verdict) noexcept;

/// From which probability on the verdict is `yes`, and up to which it is `no`: no <= 0.5 <= yes. As they are
/// made, from 0.5 on, and never undecided.
struct Margins {
  double no = 0.5, yes = 0.5;  ///< `yes` above 1: never; `no` below 0: never

  [[nodiscard]] Verdict verdict(double probability) const noexcept;
};

/// The widest margins with which verdicts on the held-out examples are right in at least the share
/// `precision` of those that say yes, and of those that say no: each lies midway between two examples, or at
/// 0.5. Where no margin reaches the precision, that verdict is never given.
[[nodiscard]] Margins choose_margins(std::span<const double> probabilities, const std::vector<bool>& labels,
                                     double precision);

/// How verdicts compare with labels.
struct VerdictCounts {
  std::size_t right_yes = 0, wrong_yes = 0, right_no = 0, wrong_no = 0, undecided = 0;
  std::size_t missed = 0;  ///< of the undecided: positives

  void add(Verdict verdict, bool label) noexcept;
  /// Of the verdicts `yes`; 1 where there are none. Recall counts undecided positives as missed.
  [[nodiscard]] double precision() const noexcept;
  [[nodiscard]] double recall() const noexcept;
  [[nodiscard]] double f_measure() const noexcept;
};

}  // namespace akin::judge
