// The measures that criteria are built from: over sorted lists of hashes, each in [0, 1] unless stated
// otherwise. A measure without a value, because a list is empty, is NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace akin::judge {

/// An element of a weighted set. Sets are ascending by hash, without repetitions; weights are above 0.
struct Weighted {
  std::uint64_t hash = 0;
  float weight = 0;
};

/// The value of a measure without a value: NaN.
[[nodiscard]] double undefined() noexcept;

/// Sum of a.weight * b.weight over the elements of both. cosine(a, b) = dot(a, b) / sqrt(dot(a, a) * dot(b,
/// b)).
[[nodiscard]] double dot(std::span<const Weighted> a, std::span<const Weighted> b) noexcept;

/// `square_a` is dot(a, a), and `square_b` is dot(b, b). Exactly 1 for equal sets.
[[nodiscard]] double cosine(std::span<const Weighted> a, double square_a, std::span<const Weighted> b,
                            double square_b) noexcept;

/// Containment of a in b by weight: the weight of a's elements that are also in b, over the weight of all of
/// a's. Exactly 1 if b has them all.
[[nodiscard]] double weighted_containment(std::span<const Weighted> a, std::span<const Weighted> b) noexcept;

/// The same with equal weights: |a ∩ b| / |a|. Sets of hashes are ascending, without repetitions.
[[nodiscard]] double containment(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept;

/// |a ∩ b| / |a ∪ b| (Jaccard).
[[nodiscard]] double resemblance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept;

/// Least number of insertions, deletions, replacements and swaps of neighbours that turn one sequence into
/// the other, where swapped elements are not edited again ("optimal string alignment", the usual reading of
/// Damerau 1964). Time O(|a| * |b|), memory O(|b|).
[[nodiscard]] std::size_t damerau_levenshtein(std::span<const std::uint64_t> a,
                                              std::span<const std::uint64_t> b);

/// 1 - damerau_levenshtein / length of the longer.
[[nodiscard]] double order_similarity(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// Two counts: 1 if they are equal, else 1 - |a - b| / max(a, b).
[[nodiscard]] double count_similarity(std::uint64_t a, std::uint64_t b) noexcept;

/// 2^(-|a - b| / 24 h), for times in seconds: halves with each day between.
[[nodiscard]] double nearness(std::int64_t a, std::int64_t b) noexcept;

/// Makes a set of elements in any order: sorts, and removes repetitions.
void make_set(std::vector<std::uint64_t>& hashes);
/// The same; keeps one of repeated elements, whose weights must be equal.
void make_set(std::vector<Weighted>& elements);

}  // namespace akin::judge
