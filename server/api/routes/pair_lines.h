// What pages read of a task that looked for pairs.
#pragma once

#include <cstdint>
#include <functional>

#include "index/store/pair_request.h"
#include "server/api/call.h"
#include "server/api/service.h"

namespace akin::api {

/// Lines of a result that a page reads at most.
inline constexpr std::uint64_t kMostPairLines = 1'000'000;

/// The task that the path names. Error: invalid_argument, if it did not look for pairs.
[[nodiscard]] Result<tasks::TaskInfo> pairs_task(const Call& call);

/// Calls `take` for each of the first kMostPairLines pairs (pair_object). Counts that a line does not have
/// follow from its shares.
[[nodiscard]] Result<void> read_pair_lines(const tasks::Tasks& tasks, const tasks::TaskInfo& task,
                                           const std::function<void(const DocumentPair&)>& take);

}  // namespace akin::api
