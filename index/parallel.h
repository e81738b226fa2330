// Work on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace akin {

/// Calls work(i) for every i below `count`, on as many threads as there are cores, this one among them.
/// Returns when all is done. `work` must not throw.
template <class Work>
void for_each_index(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto some = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, count); ++i) helpers.emplace_back(some);
  some();
}

}  // namespace akin
