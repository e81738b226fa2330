// Splits of labelled pairs that have no document on both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace akin::judge {

/// Random numbers from a seed, the same on every machine (SplitMix64).
class SeededNumbers {
 public:
  explicit SeededNumbers(std::uint64_t seed) : state_(seed) {}
  /// 0 … bound-1. Requires bound > 0.
  [[nodiscard]] std::size_t below(std::size_t bound) noexcept;
  /// A random order (Fisher and Yates).
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

 private:
  std::uint64_t state_;
};

/// The two documents of a pair, by their identifying keys (several keys may name one document).
struct PairKeys {
  std::vector<std::string> keys;
};

/// For each pair the number of its group, from 0: pairs that share a key, directly or through others, belong
/// to the same group.
[[nodiscard]] std::vector<std::size_t> group_pairs(std::span<const PairKeys> pairs);

/// For each pair its fold, 0 … folds-1. Groups stay whole; they are dealt in a random order, each to the fold
/// that has the fewest pairs with the labels of the group. Requires a label for each pair.
[[nodiscard]] std::vector<std::size_t> deal_folds(std::span<const std::size_t> groups,
                                                  const std::vector<bool>& labels, std::size_t folds,
                                                  std::uint64_t seed);

}  // namespace akin::judge
