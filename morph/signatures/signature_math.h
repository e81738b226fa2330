// The mathematics of signatures: probabilities of supershingles and megashingles, and of hash collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace akin {

/// Groups of minima: `groups` of `size` each.
struct Grouping {
  std::uint64_t groups = 1;
  std::uint64_t size = 1;
  friend bool operator==(const Grouping&, const Grouping&) = default;
};

/// The probability that two texts of this resemblance (0..1) share at least one supershingle:
/// 1 - (1 - s^size)^groups.
[[nodiscard]] double supershingle_probability(double similarity, Grouping grouping) noexcept;

/// The probability that they share at least two, that is one megashingle, with q = s^size:
/// 1 - (1 - q)^groups - groups · q · (1 - q)^(groups-1).
[[nodiscard]] double megashingle_probability(double similarity, Grouping grouping) noexcept;

/// The resemblance at which the probability of a common supershingle is one half.
[[nodiscard]] double half_similarity(Grouping grouping) noexcept;

/// The grouping of at most `functions` minima that finds texts of this resemblance with at least the
/// probability `recall` and yields the fewest other candidates: of the largest size that can, the fewest
/// groups. Nothing if even groups of one minimum find too few. Requires similarity and recall in (0,1),
/// functions >= 1.
[[nodiscard]] std::optional<Grouping> choose_grouping(double similarity, double recall,
                                                      std::uint64_t functions) noexcept;

/// How many hashes of so many bits there are, 2^bits: the `range` (R) of the functions below. A fingerprint
/// modulo a prime has the prime as its range. Requires 1 <= bits <= 256.
[[nodiscard]] double hash_range(unsigned bits) noexcept;

/// The probability that among `values` uniform random hashes two are equal: exactly
/// 1 - R! / (R^N (R-N)!), to about 1e-12. Requires a whole range of at least 2.
[[nodiscard]] double collision_probability(double values, double range) noexcept;

/// Its approximation 1 - exp(-N² / 2R).
[[nodiscard]] double collision_probability_approximation(double values, double range) noexcept;

/// The number of values at which that approximation reaches a probability: sqrt(2R ln(1 / (1 - P))).
[[nodiscard]] double values_for_collision(double probability, double range) noexcept;

/// The rough rule: a collision is probable from sqrt(R) values on.
[[nodiscard]] double birthday_bound(double range) noexcept;

/// The expected number of pairs of values with equal hashes: N (N-1) / 2R.
[[nodiscard]] double expected_colliding_pairs(double values, double range) noexcept;

/// The expected number of values minus the number of different hashes: N - R (1 - (1 - 1/R)^N).
[[nodiscard]] double expected_lost_values(double values, double range) noexcept;

}  // namespace akin
