// Reading many documents in parts, on several threads.
#pragma once

#include <cstddef>
#include <functional>

#include "index/lmdb/documents/reading.h"

namespace akin {

/// Calls work(own, part) once for each part below `parts`, on threads as for_each_index (base/parallel.h)
/// has them, and returns when all are done. `own` is `reading` on the calling thread; on each other one a
/// transaction beside it that sees the same, without which that thread takes no part. The first parts begin
/// first. An error of one of them is returned, and no further part begins.
[[nodiscard]] Result<void> for_each_part(
    Reading reading, std::size_t parts, unsigned threads,
    const std::function<Result<void>(const Reading& own, std::size_t part)>& work);

}  // namespace akin
