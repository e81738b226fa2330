// Measures how well two orders of the same items agree: precision at k and correlations, with ties.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace akin::evaluate {

/// Kendall's comparison of two sequences of n values, pair of items by pair of items (Kendall 1970, chapters
/// 3 and 4). A statistic without a value (fewer than two items, all values of a sequence equal) is nothing.
struct KendallTau {
  std::uint64_t items = 0;       ///< n
  std::uint64_t concordant = 0;  ///< pairs of items in the same order in both sequences
  std::uint64_t discordant = 0;  ///< in opposite orders
  std::uint64_t tied_first = 0;  ///< equal in the first sequence, in any relation in the second
  std::uint64_t tied_second = 0;
  double variance = 0.0;  ///< of concordant − discordant if the orders are independent, corrected for ties

  [[nodiscard]] std::uint64_t pairs() const noexcept { return items < 2 ? 0 : items * (items - 1) / 2; }
  /// concordant − discordant
  [[nodiscard]] double score() const noexcept;
  /// score / pairs: cannot reach 1 if a sequence has ties.
  [[nodiscard]] std::optional<double> tau_a() const noexcept;
  /// score / √((pairs − tied_first)(pairs − tied_second)), in [-1,1].
  [[nodiscard]] std::optional<double> tau_b() const noexcept;
  /// score / √variance: standard normal, for more than about ten items, if the orders are independent.
  /// Without a continuity correction.
  [[nodiscard]] std::optional<double> z() const noexcept;
  /// The same with the variance n(n−1)(2n+5)/18, which is correct without ties.
  [[nodiscard]] std::optional<double> z_without_ties() const noexcept;
  /// Two-sided, by the normal distribution.
  [[nodiscard]] std::optional<double> p() const noexcept;
};

/// Takes O(n log n) (Knight 1966). Both sequences have the same length and no NaN.
[[nodiscard]] KendallTau kendall_tau(std::span<const double> first, std::span<const double> second);

/// The product-moment correlation, in [-1,1]. Nothing for fewer than two items or a constant sequence.
[[nodiscard]] std::optional<double> pearson(std::span<const double> first, std::span<const double> second);

/// The same for the ranks, where equal values have the mean of theirs.
[[nodiscard]] std::optional<double> spearman(std::span<const double> first, std::span<const double> second);

/// For each k, the share of relevant items among the k with the largest scores. If equal scores are on both
/// sides of the cut it is the expectation over their orders (McSherry, Najork 2008), so it does not depend on
/// the given order. `relevant` is as long as `scores`; every k is from 1 to their number.
[[nodiscard]] std::vector<double> precision_at(std::span<const double> scores,
                                               const std::vector<bool>& relevant,
                                               std::span<const std::size_t> cuts);

}  // namespace akin::evaluate
