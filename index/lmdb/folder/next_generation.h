// Makes another generation of a collection while searches and writes continue in the current one: rebuilt
// from its texts, or compacted.
//
// The old store notes which documents are written (change_log.h) from before it is copied until the switch.
// The noted documents are copied in rounds, first while writers continue; for the last round new writers wait
// at the gate byte.
#pragma once

#include <filesystem>
#include <memory>

#include "index/collection/catalog.h"
#include "index/collection/generation_switch.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/store/store.h"

namespace akin {

/// The generation in use.
struct CurrentStore {
  Generation generation;
  std::shared_ptr<LmdbStore> store;
};
/// Errors: not_found, mismatch (another format), corrupt.
[[nodiscard]] Result<CurrentStore> open_current_store(const CollectionFolder& folder);
/// Its store alone.
[[nodiscard]] Result<std::shared_ptr<LmdbStore>> open_current(const CollectionFolder& folder);

/// As Catalog::reindex. `shared`: shared_dictionaries. The error for a damaged text names its document, which
/// can be deleted or put again.
[[nodiscard]] Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                              const std::filesystem::path& shared, const JobControl& control);
/// As Catalog::compact.
[[nodiscard]] Result<Compaction> compact_collection(const CollectionFolder& folder,
                                                    const std::filesystem::path& shared,
                                                    const JobControl& control);

}  // namespace akin
