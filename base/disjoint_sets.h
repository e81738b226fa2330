// Union-find: which numbers hang together, directly or through others.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <vector>

namespace akin {

/// Numbers from 0, each a set of its own at first. A set's root is its least number, whatever the order of
/// the joins (boost/pending/disjoint_sets links by rank, so there it depends on them). Path halving: R. E.
/// Tarjan and J. van Leeuwen, "Worst-case analysis of set union algorithms", 1984.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0U);
  }

  [[nodiscard]] std::size_t size() const noexcept { return parents_.size(); }

  /// Adds the next number, a set of its own.
  void add() { parents_.push_back(static_cast<std::uint32_t>(parents_.size())); }

  [[nodiscard]] std::uint32_t root(std::uint32_t number) noexcept {
    assert(number < parents_.size());
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }

  void join(std::uint32_t a, std::uint32_t b) noexcept {
    a = root(a);
    b = root(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parents_;  ///< of a root: itself
};

}  // namespace akin
