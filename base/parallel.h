// Runs work on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace akin {

/// `wanted`, or for 0 the number of threads that the machine runs at once; at least 1.
[[nodiscard]] unsigned thread_count(unsigned wanted) noexcept;

/// Calls work(0) … work(threads - 1), each once, and returns when all are done; on the caller's thread if no
/// more threads can be created. The first exception that leaves a call is rethrown.
void run_threads(unsigned threads, const std::function<void(unsigned thread)>& work);

/// Whether the calling thread is one of several that run_threads runs.
[[nodiscard]] bool works_beside_others() noexcept;

/// For for_each_index: calls `part` on its threads until it returns false, which the last of `parts` calls
/// does. The first exception that leaves a call is rethrown.
void repeat_part(std::size_t parts, unsigned threads, const std::function<bool()>& part);

/// Calls work(i) once for every i below `count`, and returns when all are done. They run on
/// thread_count(threads) threads; if that is 0, and the calling thread has a place, on those that share it
/// (WorkPlace::share); on the calling thread alone if it works beside others, which use the other cores. The
/// first exception that leaves a call is rethrown.
template <class Work>
void for_each_index(std::size_t count, const Work& work, unsigned threads = 0) {
  std::atomic<std::size_t> next = 0;
  repeat_part(count, threads, [&] {
    const std::size_t i = next++;
    if (i < count) work(i);
    return i + 1 < count;
  });
}

}  // namespace akin
