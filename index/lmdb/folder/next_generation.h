// Makes another generation of a collection while searches and writes continue in the current one.
//
// The old store notes which documents are written (change_log.h) from before it is copied until the switch.
// The noted documents are copied in rounds, first while writers continue; for the last round new writers wait
// at the gate byte.
#pragma once

#include <functional>
#include <memory>

#include "index/collection/transfer.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/store/store.h"

namespace akin {

/// Makes a store in a folder that does not exist yet, opened with `building_options`, with all documents that
/// `from` had at some moment during the call.
using BuildStore =
    std::function<Result<std::shared_ptr<LmdbStore>>(LmdbStore& from, const std::filesystem::path& folder)>;

/// Nobody reads the new store before the switch, and it is synced to the disk before that.
[[nodiscard]] LmdbStoreOptions building_options();

/// Builds, switches, removes the old generation. `transfer` copies what was written meanwhile. Requires the
/// maintenance lock. Errors: those of `build` and of the stores; busy (writes of many seconds each leave no
/// moment for the switch). Until the switch, and after an error, nothing visible to others has changed.
[[nodiscard]] Result<void> make_generation(const CollectionFolder& folder,
                                           const std::shared_ptr<LmdbStore>& from, Transfer& transfer,
                                           const BuildStore& build);

/// The generation in use.
struct CurrentStore {
  Generation generation;
  std::shared_ptr<LmdbStore> store;
};
/// Errors: not_found, mismatch (another format), corrupt.
[[nodiscard]] Result<CurrentStore> open_current_store(const CollectionFolder& folder);
/// Its store alone.
[[nodiscard]] Result<std::shared_ptr<LmdbStore>> open_current(const CollectionFolder& folder);

/// The same for a caller that makes another generation: it also removes what earlier jobs have left. Requires
/// the maintenance lock.
[[nodiscard]] Result<std::shared_ptr<LmdbStore>> open_present(const CollectionFolder& folder);

}  // namespace akin
