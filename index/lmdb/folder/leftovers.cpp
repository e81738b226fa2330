#include "index/lmdb/folder/leftovers.h"

#include <string>
#include <vector>

#include "base/file_lock.h"
#include "base/folders.h"
#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/folder/backup.h"

namespace akin {

namespace {

void remove_unrestored(const CollectionFolder& restoring) {
  const Result<FileLock> maintenance = restoring.lock_maintenance(std::chrono::milliseconds(0));
  std::error_code ignored;
  // Without a lock file its creation has hardly begun, perhaps just now.
  if (!maintenance.has_error()) std::filesystem::remove_all(restoring.path(), ignored);
}

}  // namespace

void remove_catalog_leftovers(const std::filesystem::path& collections) {
  const Result<std::vector<std::string>> names = entry_names(collections);
  if (names.has_error()) return;  // the next process looks again
  std::vector<std::filesystem::path> left;
  for (const std::string& name : *names) {
    if (name.starts_with(kMakingPrefix) || name.starts_with(kDroppedPrefix))
      left.push_back(collections / name);
    if (name.starts_with(kRestoringPrefix)) remove_unrestored(CollectionFolder(collections / name));
  }
  remove_unused_dictionaries(shared_dictionaries(collections));
  if (left.empty()) return;
  const Result<FileLock> lock =
      FileLock::exclusive(collections / kCatalogLock, std::chrono::milliseconds(0), "");
  if (lock.has_error()) return;
  std::error_code ignored;
  for (const std::filesystem::path& path : left) std::filesystem::remove_all(path, ignored);
}

void remove_job_leftovers(const CollectionFolder& folder, const Generation& current, LmdbStore& store) {
  const Result<bool> logging = store.has_change_log();
  if (!folder.has_leftovers(current) && (logging.has_error() || !*logging)) return;
  const Result<FileLock> maintenance = folder.lock_maintenance(std::chrono::milliseconds(0));
  const Result<Generation> still = folder.current();
  if (maintenance.has_error() || still.has_error() || *still != current) return;
  static_cast<void>(store.end_change_log());  // if it fails, the next opening tries again
  folder.remove_leftovers(current);
}

}  // namespace akin
