// A folder or a database that holds collections.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "index/collection/backup.h"
#include "index/collection/collection.h"
#include "index/collection/scrub.h"
#include "index/store/job.h"
#include "index/store/store.h"

namespace akin {

struct Compaction {
  std::uint64_t bytes_before = 0, bytes_after = 0;  ///< of the data file
};

/// What a list shows of a collection.
struct CollectionSummary {
  StoreIdentity identity;
  /// documents, features, postings, text_bytes, text_stored_bytes, disk_bytes and last_revision; the others
  /// may be 0.
  StoreStats stats;
  std::optional<Time> expires;  ///< nothing for a permanent one
};

/// A collection that can be neither searched nor written, and why.
struct UnreadableCollection {
  std::string name;
  Error error;  ///< of opening it, with the remedy
};

/// The collections that do not match the running configuration, in byte order.
struct OutdatedCollections {
  /// Built with other dictionaries than those configured; read and written with their own until a reindex.
  std::vector<std::string> in_use;
  /// Those that Catalog::get refuses: an akin with other text rules made them, nothing is kept of the
  /// dictionaries that they need, or their files are of another format or damaged.
  std::vector<UnreadableCollection> unreadable;
};

/// How old the view of a standby is.
struct Staleness {
  std::chrono::microseconds age{};  ///< everything that was committed earlier than this ago is seen
  std::uint64_t bytes = 0;          ///< of the primary's log that have arrived and are not applied yet
};

/// How a data folder opens its collections. Databases ignore it.
struct CatalogOptions {
  /// Collections that stay open when nobody uses them.
  std::size_t max_open = 256;
  /// Whether quarantined collections are opened all the same, to verify them.
  bool open_quarantined = false;
  /// Pages of a collection that are read before the process lets go of all that it has mapped, for one that
  /// shall stay small; 0 = they stay until the system needs the room.
  std::uint64_t held_pages = 0;
};

/// A collection that is invisible until it is finished. Its documents are kept if the process ends before
/// that. One process at a time works on it.
class UnfinishedCollection {
 public:
  virtual ~UnfinishedCollection() = default;
  [[nodiscard]] virtual Store& store() const noexcept = 0;
  /// Makes it the collection with its name. Durable when it returns. Call it once, and do not use the store
  /// afterwards. Error: already_exists.
  [[nodiscard]] virtual Result<void> finish(const std::optional<Time>& expires) = 0;
};

/// A time that takes work to find out.
using AskTime = std::function<Result<Time>()>;
[[nodiscard]] inline Result<Time> by_the_clock() { return time_now(); }

/// Collections, in a data folder or in a database, which several processes may share. Thread-safe.
class Catalog {
 public:
  virtual ~Catalog() = default;

  /// Names in byte order. Unfinished generations are not collections; damaged collections are.
  [[nodiscard]] virtual Result<std::vector<std::string>> list() const = 0;
  /// Creates a collection. Error: already_exists; invalid_argument for a name that is not
  /// [A-Za-z0-9][A-Za-z0-9._-]{0,63}; unsupported (the scheme joins synonyms, the dictionary has none); those
  /// of Dictionaries::of. Without `languages` it has those configured.
  /// Without `store_text` the collection keeps no original texts: it is smaller, cannot return a text, and
  /// cannot be rebuilt by `reindex`. With `store_file` it keeps the files that documents were read from.
  [[nodiscard]] virtual Result<std::shared_ptr<Collection>> create(std::string_view name,
                                                                   std::string_view scheme,
                                                                   bool store_text = true,
                                                                   bool store_file = false,
                                                                   std::string_view languages = {}) = 0;
  /// Opens a collection, or returns the one already open, which stays open at least as long as the result
  /// lives (then as CatalogOptions::max_open says); notices when another process has switched or
  /// dropped it. It has the dictionaries that it was built with, even if others are configured now. Errors:
  /// not_found; quarantined; mismatch when its format is unknown, or it keeps no dictionaries and does not
  /// match those configured (the remedy names `akin reindex`).
  [[nodiscard]] virtual Result<std::shared_ptr<Collection>> get(std::string_view name) = 0;
  /// What a list shows, as of a moment during the call. A data folder opens no collection for it, unless the
  /// collection needs dictionaries that it does not keep, or something is wrong with it. Errors: as get.
  [[nodiscard]] virtual Result<CollectionSummary> describe(std::string_view name);
  /// The collections open in this process, in byte order of their names; opens none.
  [[nodiscard]] virtual std::vector<std::shared_ptr<Collection>> open_now() { return {}; }
  /// Removes a collection and its files. Error: not_found.
  [[nodiscard]] virtual Result<void> drop(std::string_view name) = 0;
  /// When a temporary collection expires: from then on it does not exist. Nothing for a permanent one.
  [[nodiscard]] virtual Result<std::optional<Time>> expiry(std::string_view name) const = 0;
  /// Makes a collection temporary, or permanent if `expires` is empty. Durable when it returns. Error:
  /// not_found.
  [[nodiscard]] virtual Result<void> set_expiry(std::string_view name,
                                                const std::optional<Time>& expires) = 0;
  /// Removes the files of collections that have expired, by the clock and by `lived`, which is asked only if
  /// any have by the clock; their names, so that the caller can forget what it stores about them. What is in
  /// use by another process stays until the next call.
  [[nodiscard]] virtual Result<std::vector<std::string>> drop_expired(const AskTime& lived) = 0;
  /// For a database that is a standby: how much older than its primary it is, as of now. Nothing for another
  /// database, and for a data folder.
  [[nodiscard]] virtual Result<std::optional<Staleness>> staleness() { return std::optional<Staleness>(); }
  /// Erases what interrupted writes left behind, and what removals left if it is large. A server calls it
  /// often; most calls do nothing.
  [[nodiscard]] virtual Result<void> erase_leftovers() { return {}; }
  /// The collections that were built with other dictionaries than those configured now, or by another akin.
  /// Those in quarantine are in neither list. Opens none whose store can be described without that.
  [[nodiscard]] virtual Result<OutdatedCollections> outdated() { return OutdatedCollections(); }
  /// The collections that a crash hit (crash_record.h), in byte order: they are neither read nor written
  /// until they are verified, restored, or dropped.
  [[nodiscard]] virtual Result<std::vector<std::string>> quarantined() { return std::vector<std::string>(); }
  /// For a collection that was verified; whether it was in quarantine. Error: not_found.
  [[nodiscard]] virtual Result<bool> end_quarantine(std::string_view) { return false; }
  /// Reads a collection's file once, from where an earlier call was stopped, and checks its pages and values.
  /// Opens nothing, and damage cannot end the process. Returns the pass when it has ended; nothing if it was
  /// stopped, the collection was replaced or dropped, or is in a database, which has checksums of its own.
  /// Errors: not_found, quarantined, io, busy (it was written all the time).
  [[nodiscard]] virtual Result<std::optional<ScrubPass>> scrub(std::string_view, const ScrubControl&) {
    return std::optional<ScrubPass>();
  }
  /// The last whole pass over a collection's file, by any process; nothing if there was none, or the file was
  /// replaced afterwards (reindex, compact, restore).
  [[nodiscard]] virtual std::optional<ScrubPass> last_scrub(std::string_view) const { return std::nullopt; }
  /// The collections in whose files the last scrub found damage, in byte order.
  [[nodiscard]] virtual Result<std::vector<std::string>> damaged() { return std::vector<std::string>(); }
  /// Dictionary::packed of what a collection was built with, unchecked; nothing if it keeps none. Error:
  /// not_found.
  [[nodiscard]] virtual Result<std::optional<std::string>> packed_dictionary(std::string_view) const {
    return std::optional<std::string>();
  }
  /// What a collection was built with and holds, even if it does not match the running configuration.
  [[nodiscard]] virtual Result<StoreIdentity> identity(std::string_view name) const = 0;
  /// Rebuilds from the stored texts with the dictionaries of its languages (Dictionaries::for_store), as they
  /// are on the disk now, and `scheme` (empty = the collection's own) in a new generation. Meanwhile the
  /// searches and writes of all processes continue in the old one; what they write reaches the new one too.
  /// The switch is one rename, for which writes wait briefly. A crash at any moment leaves one complete index
  /// with every acknowledged write; the next opening or reindex removes its leftovers. Errors: not_found;
  /// busy (a reindex, compaction or restore of it is running); unsupported (it keeps no texts; the scheme
  /// joins synonyms, the dictionary has none; stopped); corrupt (a stored text is damaged); disk_full;
  /// invalid_argument (unknown scheme). After an error the collection is unchanged.
  [[nodiscard]] virtual Result<void> reindex(std::string_view name, std::string_view scheme,
                                             const JobControl& control) = 0;
  /// Makes the collection's file as small as possible: flushes and merges everything, and copies it without
  /// free pages into a new generation, with the same guarantees as reindex; documents, features and
  /// dictionaries are unchanged. Errors: as reindex, and mismatch (another format).
  [[nodiscard]] virtual Result<Compaction> compact(std::string_view name, const JobControl& control) = 0;

  /// The store of a collection, even if it does not match the running configuration. Error: not_found.
  [[nodiscard]] virtual Result<std::shared_ptr<Store>> open_store(std::string_view name) const = 0;
  /// The store of a collection that a copy brings up to date: as open_store, and while the result lives no
  /// job on the collection runs. Error also: busy (one is running).
  [[nodiscard]] virtual Result<std::shared_ptr<Store>> open_for_update(std::string_view name) = 0;
  /// Creates a collection that is filled before it becomes visible; continues what an earlier process left
  /// unfinished under this name, if it has this identity. It keeps the dictionaries `packed`, if any.
  /// Requires is_collection_name. Error: busy (another process works on it).
  [[nodiscard]] virtual Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity, const std::optional<std::string>& packed) = 0;

  /// Copies collections and the server's state into a folder while they are in use: each as of one moment,
  /// the state first, so that everything it refers to is in the collections. The folder gets its name once it
  /// is complete and on the disk, not before. A backup of all collections leaves out those that cannot be
  /// copied. Errors: already_exists (the target), not_found, unsupported (stopped), disk_full; of collections
  /// that are named, those of open_store.
  [[nodiscard]] virtual Result<BackupManifest> backup(const BackupRequest& request) = 0;
  /// Restores collections from a backup, each atomically, and verified before it is visible: length, SHA-256,
  /// contents. An existing collection is replaced only on request; a server's state never. Errors:
  /// already_exists (then nothing was restored), not_found, corrupt, mismatch (a later akin's), busy (a job
  /// on a collection to be replaced runs). All are copied and verified before the first is visible. After an
  /// error there is none of those that are new, and each of those to be replaced is as before or replaced.
  [[nodiscard]] virtual Result<RestoreReport> restore(const RestoreRequest& request) = 0;
};

}  // namespace akin
