// Making another generation of a collection while everybody goes on searching and writing in the present one.
//
// The old store notes which documents are written (change_log.h) from before it is copied until the switch.
// What was noted is brought over in rounds, first beside the writers; for the last round they wait at the
// door.
#pragma once

#include <functional>
#include <memory>

#include "index/lmdb/collection_folder.h"
#include "index/lmdb/store.h"
#include "index/transfer.h"

namespace akin {

/// Makes a store in a folder that does not exist yet, opened as `building_options` tells, with all documents
/// that `from` had at some moment during the call.
using BuildStore =
    std::function<Result<std::shared_ptr<LmdbStore>>(LmdbStore& from, const std::filesystem::path& folder)>;

/// Nobody reads the new store before the switch, and it is brought to the disk before that.
[[nodiscard]] LmdbStoreOptions building_options();

/// Builds, switches, removes the old generation. `transfer` brings over what was written meanwhile. Requires
/// the maintenance. Errors: those of `build` and of the stores; busy (writes of many seconds each leave no
/// moment for the switch). Until the switch nothing that others see has changed, and after an error nothing
/// has.
[[nodiscard]] Result<void> make_generation(const CollectionFolder& folder,
                                           const std::shared_ptr<LmdbStore>& from, Transfer& transfer,
                                           const BuildStore& build);

/// The store of the generation in use. Errors: not_found, mismatch (another format), corrupt.
[[nodiscard]] Result<std::shared_ptr<LmdbStore>> open_current(const CollectionFolder& folder);

/// The same for whoever makes another generation: what earlier jobs have left is removed. Requires the
/// maintenance lock.
[[nodiscard]] Result<std::shared_ptr<LmdbStore>> open_present(const CollectionFolder& folder);

}  // namespace akin
