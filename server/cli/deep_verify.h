// The deep half of `akin verify`: do the stored texts still give the stored features?
#pragma once

#include <cstdint>
#include <functional>

#include "base/error.h"
#include "index/collection.h"

namespace akin::cli {

/// Analyses every stored text again and compares record and feature sequence with what is stored. Calls
/// `tell` per finding and `show(done, total)` per document. Errors: what keeps the collection from being
/// read.
[[nodiscard]] Result<void> verify_features(const Collection& collection, const Snapshot& snapshot,
                                           const std::function<void(const Finding&)>& tell,
                                           const std::function<void(std::uint64_t, std::uint64_t)>& show);

}  // namespace akin::cli
