// Sorting on all cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"

namespace akin {

/// Sorts on as many threads as there are cores, and returns when all are done. The result is that of
/// std::sort if no two items are equal.
template <class T, class Less>
void sort_on_all_cores(std::vector<T>& items, const Less& less) {
  const std::size_t pieces = thread_count(0);
  const auto bound = [&](std::size_t piece) {
    return items.begin() + static_cast<std::ptrdiff_t>(items.size() * std::min(piece, pieces) / pieces);
  };
  for_each_index(pieces, [&](std::size_t i) { std::sort(bound(i), bound(i + 1), less); });
  for (std::size_t sorted = 1; sorted < pieces; sorted *= 2) {
    for_each_index((pieces + 2 * sorted - 1) / (2 * sorted), [&](std::size_t i) {
      const std::size_t first = 2 * sorted * i;
      std::inplace_merge(bound(first), bound(first + sorted), bound(first + 2 * sorted), less);
    });
  }
}

}  // namespace akin
