// Work spread over threads.
#pragma once

#include <cstddef>
#include <functional>

namespace akin {

/// `wanted`, or for 0 as many as the machine runs at once; at least 1.
[[nodiscard]] unsigned thread_count(unsigned wanted) noexcept;

/// Calls work(0) … work(threads - 1), each once, and returns when all are done; on the caller's thread where
/// no more threads are to be had. The first exception that leaves a call is thrown again.
void run_threads(unsigned threads, const std::function<void(unsigned thread)>& work);

}  // namespace akin
