#include "base/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace akin {

unsigned thread_count(unsigned wanted) noexcept {
  return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

void run_threads(unsigned threads, const std::function<void(unsigned thread)>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](unsigned thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(threads);
    unsigned started = 1;
    for (; started < threads; ++started) {
      try {
        helpers.emplace_back(guarded, started);
      } catch (const std::exception&) {
        break;  // no thread, or no memory for one
      }
    }
    guarded(0);
    for (; started < threads; ++started) guarded(started);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace akin
