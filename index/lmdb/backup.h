// Copies of collections, made while they serve, and brought back; with them their labels, and the models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/files.h"
#include "index/job.h"
#include "index/lmdb/backup_manifest.h"
#include "index/lmdb/lmdb.h"

namespace akin {

struct BackupRequest {
  std::vector<std::string> collections;  ///< empty = all
  std::filesystem::path target;          ///< does not exist, or is an empty folder
  /// Gives the bytes of the server's state. A process that has DATA/state open must give this, as LMDB
  /// forbids to open it twice (State's environment: Env::copy). Empty: DATA/state is opened, if there is one.
  std::function<Result<void>(const lmdb::ByteSink&)> copy_state;
  JobControl control;  ///< tells bytes of files
};

struct RestoreRequest {
  std::filesystem::path source;
  /// Each with its labels, in place of those that are there. Empty = all, and with them the server's state
  /// where there is none yet, and models where there are none by their names, or `replace`.
  std::vector<std::string> collections;
  std::string as;        ///< another name for a single collection; empty = its own
  bool replace = false;  ///< a collection that exists is replaced, at one moment
  JobControl control;
};

struct RestoredCollection {
  std::string name;
  std::uint64_t documents = 0, bytes = 0;
  bool replaced = false;
  std::string scheme;       ///< StoreIdentity::scheme
  std::string fingerprint;  ///< StoreIdentity::fingerprint
};

struct RestoreReport {
  std::vector<RestoredCollection> collections;
  enum class State { none, restored, kept } state = State::none;
  std::vector<std::string> files;       ///< labels and models that came back: paths below the data folder
  std::vector<std::string> kept_files;  ///< models that were there already, and stay
};

/// As Catalog::backup, of the collections in the folder `collections` (DIR/collections).
[[nodiscard]] Result<BackupManifest> make_backup(const std::filesystem::path& collections,
                                                 const BackupRequest& request,
                                                 const std::vector<std::string>& names);

/// As Catalog::restore. `lock_catalog` gives leave to make a collection.
[[nodiscard]] Result<RestoreReport> restore_backup(const std::filesystem::path& collections,
                                                   const RestoreRequest& request,
                                                   const std::function<Result<FolderLock>()>& lock_catalog);

/// Folders that begin so are collections on their way from a backup; whoever restores holds their workshop.
inline constexpr std::string_view kRestoringPrefix = ".restoring-";

}  // namespace akin
