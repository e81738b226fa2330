#include "base/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/waiting.h"

namespace akin {

namespace {

thread_local bool beside_others = false;

/// Notes for its lifetime that this thread works beside others.
class BesideOthers {
 public:
  explicit BesideOthers(bool is) noexcept : before_(std::exchange(beside_others, beside_others || is)) {}
  BesideOthers(const BesideOthers&) = delete;
  BesideOthers& operator=(const BesideOthers&) = delete;
  ~BesideOthers() { beside_others = before_; }

 private:
  bool before_;
};

}  // namespace

bool works_beside_others() noexcept { return beside_others; }

unsigned thread_count(unsigned wanted) noexcept {
  // The C library reads it from a file at each call.
  static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return wanted != 0 ? wanted : cores;
}

void run_threads(unsigned threads, const std::function<void(unsigned thread)>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](unsigned thread) {
    const BesideOthers beside(threads > 1);
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
        helpers.emplace_back([&guarded, started, stop = stop_of_work()] {
          const WorkUnder under(nullptr, stop);
          guarded(started);
        });
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
