// A folder or a database of collections.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "index/backup.h"
#include "index/collection.h"
#include "index/job.h"
#include "index/store.h"

namespace akin {

struct Compaction {
  std::uint64_t bytes_before = 0, bytes_after = 0;  ///< of the data file
};

/// A collection that nobody sees until it is finished. What was put into it stays if the process ends before
/// that. One process at a time works on it.
class UnfinishedCollection {
 public:
  virtual ~UnfinishedCollection() = default;
  [[nodiscard]] virtual Store& store() const noexcept = 0;
  /// From now on it is the collection of its name. Durable when it returns; call once, and the store no more.
  /// Error: already_exists.
  [[nodiscard]] virtual Result<void> finish(const std::optional<Time>& expires) = 0;
};

/// Collections, in a data folder or in a database, which several processes may share. Thread-safe.
class Catalog {
 public:
  virtual ~Catalog() = default;

  /// Names in byte order. Unfinished generations are not collections.
  [[nodiscard]] virtual Result<std::vector<std::string>> list() const = 0;
  /// Makes a collection. Error: already_exists; invalid_argument for a name that is not
  /// [A-Za-z0-9][A-Za-z0-9._-]{0,63}; unsupported (the scheme joins synonyms, the dictionary has none).
  /// Without `store_text` the collection keeps no original texts: it is smaller, gives no text back, and
  /// cannot be rebuilt by `reindex`.
  [[nodiscard]] virtual Result<std::shared_ptr<Collection>> create(std::string_view name,
                                                                   std::string_view scheme,
                                                                   bool store_text = true) = 0;
  /// Opens a collection, or returns the one already open; notices when another process has switched or
  /// dropped it. Errors: not_found; mismatch when its fingerprint or format is not the configuration's (names
  /// `akin reindex`).
  [[nodiscard]] virtual Result<std::shared_ptr<Collection>> get(std::string_view name) = 0;
  /// Those that are open in this process, in byte order of their names; opens none.
  [[nodiscard]] virtual std::vector<std::shared_ptr<Collection>> open_now() { return {}; }
  /// Removes a collection and its files. Error: not_found.
  [[nodiscard]] virtual Result<void> drop(std::string_view name) = 0;
  /// When a temporary collection expires: from then on there is no such collection. Nothing for a permanent
  /// one.
  [[nodiscard]] virtual Result<std::optional<Time>> expiry(std::string_view name) const = 0;
  /// Makes a collection temporary, or, with nothing, permanent. Durable when it returns. Error: not_found.
  [[nodiscard]] virtual Result<void> set_expiry(std::string_view name,
                                                const std::optional<Time>& expires) = 0;
  /// Removes the files of collections that have expired; their names, so that the caller can forget what it
  /// stores about them. What is in use by another process stays until the next call.
  [[nodiscard]] virtual Result<std::vector<std::string>> drop_expired() = 0;
  /// What a collection was built with and holds, even if it does not fit the running configuration.
  [[nodiscard]] virtual Result<StoreIdentity> identity(std::string_view name) const = 0;
  /// Rebuilds from the stored texts with the present dictionary and `scheme` (empty = the collection's own)
  /// in a new generation. Searches and writes of all processes go on meanwhile, in the old one; what they
  /// write is in the new one too. The switch is one rename, for which writes wait a moment. A crash at any
  /// moment leaves one complete index with every acknowledged write; what it left over is removed by the next
  /// opening or reindex. Errors: not_found; busy (a reindex, compaction or restore of it runs); unsupported
  /// (it keeps no texts; the scheme joins synonyms, the dictionary has none; stopped); corrupt (a stored text
  /// is damaged); disk_full; invalid_argument (unknown scheme). After an error the collection is as it was.
  [[nodiscard]] virtual Result<void> reindex(std::string_view name, std::string_view scheme,
                                             const JobControl& control) = 0;
  /// Makes the collection's file as small as it can be: settles everything, and copies it without free pages
  /// into a new generation, as reindex does and under its promises; documents, features and dictionaries stay
  /// as they are. Errors: as reindex, and mismatch (another format).
  [[nodiscard]] virtual Result<Compaction> compact(std::string_view name, const JobControl& control) = 0;

  /// The store of a collection as it is, even if it does not fit the running configuration. Error: not_found.
  [[nodiscard]] virtual Result<std::shared_ptr<Store>> open_store(std::string_view name) const = 0;
  /// Makes a collection that is filled before it can be seen; goes on with what an earlier process left
  /// unfinished under this name, if it has this identity. Requires is_collection_name. Error: busy (another
  /// process works on it).
  [[nodiscard]] virtual Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity) = 0;

  /// Copies collections and the server's state into a folder, while they serve: each as it is at one moment,
  /// the state first, so that what it speaks of is in the collections. The folder has its name when it is
  /// complete and on the disk, not before. Errors: already_exists (the target), not_found, unsupported
  /// (stopped), disk_full.
  [[nodiscard]] virtual Result<BackupManifest> backup(const BackupRequest& request) = 0;
  /// Brings collections of a backup back, each atomically, and verified before it is visible: length,
  /// SHA-256, what it holds. A collection that is there is replaced only if asked for; a server's state
  /// never. Errors: already_exists (then nothing was restored), not_found, corrupt, mismatch (a later
  /// akin's), busy (a job on a collection to be replaced runs). After another error some collections may have
  /// been restored.
  [[nodiscard]] virtual Result<RestoreReport> restore(const RestoreRequest& request) = 0;
};

}  // namespace akin
