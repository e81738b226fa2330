// Sorting of objects that are expensive to move.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace akin {

/// As std::stable_sort, but moves each object only once, in memory for as many more.
template <class Large, class Less>
void stable_sort_large(std::vector<Large>& all, const Less& less) {
  std::vector<Large*> order;
  order.reserve(all.size());
  for (Large& one : all) order.push_back(&one);
  std::ranges::stable_sort(order, [&](const Large* left, const Large* right) { return less(*left, *right); });
  std::vector<Large> sorted;
  sorted.reserve(all.size());
  for (Large* const one : order) sorted.push_back(std::move(*one));
  all = std::move(sorted);
}

}  // namespace akin
