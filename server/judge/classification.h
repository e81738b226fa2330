// From a decision value to a probability, and from that to one of three classifications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace akin::judge {

/// probability = 1 / (1 + exp(a * decision + b)), with a below 0, so that it grows with the decision.
struct Sigmoid {
  double a = -1, b = 0;
  [[nodiscard]] double probability(double decision) const noexcept;
};

enum class Classification : std::uint8_t { no, undecided, yes };

/// "yes", "undecided" or "no"
[[nodiscard]] std::string_view classification_name(Classification classification) noexcept;

/// The probability from which on the classification is `yes`, and that up to which it is `no`: no <= 0.5 <=
/// yes. The default is yes from 0.5 on, and never undecided.
struct Margins {
  double no = 0.5, yes = 0.5;  ///< `yes` above 1: never; `no` below 0: never

  [[nodiscard]] Classification classify(double probability) const noexcept;
};

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
