// What crashes leave in a data folder, and its removal.
#pragma once

#include <filesystem>
#include <string_view>

#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/store/store.h"

namespace akin {

/// Locked while a collection is created or dropped, so that leftovers from a crash can be distinguished from
/// work in progress.
inline constexpr std::string_view kCatalogLock = ".lock";
inline constexpr std::string_view kMakingPrefix = ".making-";
inline constexpr std::string_view kDroppedPrefix = ".dropped-";

/// Removes what is left, in DIR/collections, of collections that were being created, dropped or restored, and
/// the dictionaries that no collection uses.
void remove_catalog_leftovers(const std::filesystem::path& collections);

/// Ends what a crashed job on a collection has left, unless a job is running. `store`: of the generation
/// `current`.
void remove_job_leftovers(const CollectionFolder& folder, const Generation& current, LmdbStore& store);

}  // namespace akin
