#include "server/judge/folds.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "base/disjoint_sets.h"
#include "base/hash.h"

namespace akin::judge {

std::size_t SeededNumbers::below(std::size_t bound) noexcept {
  state_ += 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(mix64(state_) % bound);
}

std::vector<std::size_t> group_pairs(std::span<const PairKeys> pairs) {
  DisjointSets sets(pairs.size());
  std::unordered_map<std::string, std::uint32_t> first_with;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    for (const std::string& key : pairs[i].keys) {
      const auto [found, fresh] = first_with.emplace(key, i);
      if (!fresh) sets.join(i, found->second);
    }
  }
  std::unordered_map<std::uint32_t, std::size_t> numbers;
  std::vector<std::size_t> groups;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    groups.push_back(numbers.emplace(sets.root(i), numbers.size()).first->second);
  }
  return groups;
}

std::vector<std::size_t> deal_folds(std::span<const std::size_t> groups, const std::vector<bool>& labels,
                                    std::size_t folds, std::uint64_t seed) {
  using Counts = std::array<std::size_t, 2>;  // of pairs with each label
  std::size_t count = 0;
  for (const std::size_t group : groups) count = std::max(count, group + 1);
  std::vector<Counts> in_group(count);
  for (std::size_t i = 0; i < groups.size(); ++i) ++in_group[groups[i]][labels[i] ? 1 : 0];
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  SeededNumbers(seed).shuffle(order);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return in_group[i][0] + in_group[i][1] > in_group[j][0] + in_group[j][1];
  });
  std::vector<Counts> in_fold(folds);
  std::vector<std::size_t> fold_of(count);
  for (const std::size_t group : order) {
    const Counts& has = in_group[group];
    const auto load = [&](const Counts& fold) { return has[0] * fold[0] + has[1] * fold[1]; };
    const auto least =
        std::min_element(in_fold.begin(), in_fold.end(), [&](const Counts& a, const Counts& b) {
          return std::pair(load(a), a[0] + a[1]) < std::pair(load(b), b[0] + b[1]);
        });
    fold_of[group] = static_cast<std::size_t>(least - in_fold.begin());
    (*least)[0] += has[0];
    (*least)[1] += has[1];
  }
  std::vector<std::size_t> result;
  for (const std::size_t group : groups) result.push_back(fold_of[group]);
  return result;
}

}  // namespace akin::judge
