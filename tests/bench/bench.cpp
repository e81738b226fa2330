#include "tests/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace akin::bench {

double median_seconds(unsigned rounds, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (unsigned i = 0; i < rounds; ++i) {
    const Stopwatch watch;
    work();
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

double percentile(const std::vector<double>& sorted, double p) {
  const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(sorted.size())));
  return sorted.at(std::clamp<std::size_t>(rank, 1, sorted.size()) - 1);
}

std::string format(const char* pattern, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
  va_end(arguments);
  return buffer;
}

}  // namespace akin::bench
