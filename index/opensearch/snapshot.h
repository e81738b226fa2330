// A snapshot of a store in a cluster.
#pragma once

#include <memory>

#include "index/opensearch/documents/view.h"
#include "index/store/store.h"

namespace akin::opensearch {

[[nodiscard]] std::unique_ptr<Snapshot> make_snapshot(std::shared_ptr<const View> view, StoreSerial serial);

}  // namespace akin::opensearch
