// Backups of collections in a data folder, with their labels, the models and the server's state.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_lock.h"
#include "index/collection/backup.h"

namespace akin {

/// As Catalog::backup, of the collections in the folder `collections` (DIR/collections).
[[nodiscard]] Result<BackupManifest> make_backup(const std::filesystem::path& collections,
                                                 const BackupRequest& request,
                                                 const std::vector<std::string>& names);

/// As Catalog::restore. `lock_catalog` takes the lock under which collections are made.
[[nodiscard]] Result<RestoreReport> restore_backup(const std::filesystem::path& collections,
                                                   const RestoreRequest& request,
                                                   const std::function<Result<FileLock>()>& lock_catalog);

/// Folders whose names begin with this are collections being restored; the restoring process holds the
/// maintenance lock.
inline constexpr std::string_view kRestoringPrefix = ".restoring-";

}  // namespace akin
