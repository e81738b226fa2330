// Converts a decision value to a probability, and probabilities to classifications in three ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace akin::judge {

/// probability = 1 / (1 + exp(a * decision + b)), with a below 0, so that it grows with the decision.
struct Sigmoid {
  double a = -1, b = 0;
  [[nodiscard]] double probability(double decision) const noexcept;
};

/// Fits a sigmoid to decisions on examples that were held out of training: Platt, "Probabilistic outputs for
/// support vector machines" (1999), minimised as by Lin, Lin and Weng (2007). With few examples its targets
/// stay away from 0 and 1. Requires a label for each decision; a falling slope is replaced by 0.
[[nodiscard]] Sigmoid fit_sigmoid(std::span<const double> decisions, const std::vector<bool>& labels);

enum class Classification : std::uint8_t { no, undecided, yes };

/// "yes", "undecided" or "no"
[[nodiscard]] std::string_view classification_name(Classification classification) noexcept;

/// The probability from which on the classification is `yes`, and that up to which it is `no`: no <= 0.5 <=
/// yes. The default is yes from 0.5 on, and never undecided.
struct Margins {
  double no = 0.5, yes = 0.5;  ///< `yes` above 1: never; `no` below 0: never

  [[nodiscard]] Classification classify(double probability) const noexcept;
};

/// The widest margins with which classifications on the held-out examples are right in at least the share
/// `precision` of the `yes` classifications, and of the `no` classifications: each lies midway between two
/// examples, or at 0.5. If no margin reaches the precision, that classification is never given.
[[nodiscard]] Margins choose_margins(std::span<const double> probabilities, const std::vector<bool>& labels,
                                     double precision);

/// Compares classifications with labels.
struct ClassificationCounts {
  std::size_t right_yes = 0, wrong_yes = 0, right_no = 0, wrong_no = 0, undecided = 0;
  std::size_t missed = 0;  ///< positives among the undecided

  void add(Classification classification, bool label) noexcept;
  ClassificationCounts& operator+=(const ClassificationCounts& other) noexcept;
  /// Of the `yes` classifications; 1 if there are none. Recall counts undecided positives as missed.
  [[nodiscard]] double precision() const noexcept;
  [[nodiscard]] double recall() const noexcept;
  [[nodiscard]] double f_measure() const noexcept;
};

}  // namespace akin::judge
