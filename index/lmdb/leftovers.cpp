#include "index/lmdb/leftovers.h"

#include <string>
#include <vector>

#include "base/file_lock.h"
#include "index/lmdb/backup.h"
#include "index/lmdb/kept_dictionary.h"

namespace akin {

namespace {

void remove_unrestored(const std::filesystem::path& collections) {
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(collections, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (!entry->path().filename().string().starts_with(kRestoringPrefix)) continue;
    const CollectionFolder restoring(entry->path());
    const Result<FileLock> maintenance = restoring.lock_maintenance(std::chrono::milliseconds(0));
    // Without a lock file its creation has hardly begun, perhaps just now.
    if (!maintenance.has_error()) std::filesystem::remove_all(restoring.path(), ignored);
  }
}

}  // namespace

void remove_catalog_leftovers(const std::filesystem::path& collections) {
  std::error_code ignored;
  std::vector<std::filesystem::path> left;
  for (std::filesystem::directory_iterator entry(collections, ignored), end; entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kMakingPrefix) || name.starts_with(kDroppedPrefix)) left.push_back(entry->path());
  }
  remove_unrestored(collections);
  remove_unused_dictionaries(shared_dictionaries(collections));
  if (left.empty()) return;
  const Result<FileLock> lock =
      FileLock::exclusive(collections / kCatalogLock, std::chrono::milliseconds(0), "");
  if (lock.has_error()) return;
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
