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

/// The first exception that left one of several calls.
class FirstFailure {
 public:
  /// Of the exception that is being handled.
  void keep() noexcept {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
};

void share(WorkPlace& place, std::size_t parts, const std::function<bool()>& part) {
  FirstFailure failure;
  place.share(parts, [&] {
    const BesideOthers beside(true);
    try {
      return part();
    } catch (...) {
      failure.keep();
      return false;
    }
  });
  failure.rethrow();
}

}  // namespace

bool works_beside_others() noexcept { return beside_others; }

unsigned thread_count(unsigned wanted) noexcept {
  // The C library reads it from a file at each call.
  static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return wanted != 0 ? wanted : cores;
}

void run_threads(unsigned threads, const std::function<void(unsigned thread)>& work) {
  FirstFailure failure;
  const auto guarded = [&](unsigned thread) {
    const BesideOthers beside(threads > 1);
    try {
      work(thread);
    } catch (...) {
      failure.keep();
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
  failure.rethrow();
}

void repeat_part(std::size_t parts, unsigned threads, const std::function<bool()>& part) {
  if (parts == 0) return;
  WorkPlace* const place = threads == 0 ? place_of_work() : nullptr;
  if (place != nullptr && parts > 1 && !works_beside_others()) return share(*place, parts, part);
  const unsigned most = works_beside_others() ? 1 : thread_count(threads);
  run_threads(parts < most ? static_cast<unsigned>(parts) : most, [&part](unsigned) {
    while (part()) {
    }
  });
}

}  // namespace akin
