#pragma once

#include <cstddef>
#include <functional>

namespace akin {

/// Calls task(0) … task(count - 1), spread over the processors, and returns when all are done. Tasks must not
/// throw.
void run_parallel(std::size_t count, const std::function<void(std::size_t)>& task);

}  // namespace akin
