#pragma once

#include <memory>

#include "index/lmdb/store/open_store.h"
#include "index/store/store.h"

namespace akin {

/// The store as it is now; keeps it open.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> open_snapshot(std::shared_ptr<const OpenStore> store);

}  // namespace akin
