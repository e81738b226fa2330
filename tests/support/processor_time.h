#pragma once

#include <chrono>
#include <ctime>

namespace akin::test {

/// What this thread has computed so far. Unlike a clock it does not count what other programs take.
inline std::chrono::nanoseconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace akin::test
