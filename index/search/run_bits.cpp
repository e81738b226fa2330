#include "index/search/run_bits.h"

#include <algorithm>
#include <cmath>

namespace akin {

void RunBits::add(std::span<const WordRange> runs) {
  for (const WordRange& run : runs) {
    for (std::uint32_t begin = run.begin; begin < run.end; ++begin) {
      for (std::uint32_t end = begin + 1; end <= run.end; ++end) ++covering_[cell({begin, end})];
    }
  }
}

double RunBits::most(std::span<const WordRange> runs, std::uint64_t documents) const {
  double most = 0;
  for (const WordRange& run : runs) {
    const auto having = static_cast<double>(std::max<std::uint64_t>(covering_[cell(run)], 1));
    most = std::max(most, std::log2(static_cast<double>(documents) / having));
  }
  return most;
}

}  // namespace akin
