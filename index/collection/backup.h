// Backups of collections: the requests, and what was copied or restored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "index/store/job.h"
#include "index/store/store.h"

namespace akin {

struct BackupRequest {
  std::vector<std::string> collections;  ///< empty = all
  std::filesystem::path target;          ///< does not exist, or is an empty folder
  /// Writes the bytes of the server's state. A process that has DATA/state open must set this, as LMDB
  /// forbids opening it twice (State::copy). Empty: DATA/state is opened if it exists.
  std::function<Result<void>(const ByteSink&)> copy_state;
  JobControl control;  ///< reports bytes of files
};

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 hex digits (FIPS 180-4)
  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

struct BackedUpCollection {
  std::string name;
  StoreIdentity identity;
  std::uint64_t documents = 0;
  std::uint64_t features = 0;
  FileDigest file;  ///< collections/NAME/data.mdb
  /// dictionaries/FINGERPRINT: those that it was built with; nothing if the collection keeps none.
  struct Dictionaries {
    std::string fingerprint;  ///< 32 hex digits
    FileDigest file;
  };
  std::optional<Dictionaries> dictionaries = {};
};

/// A collection that could not be copied.
struct LeftOutCollection {
  std::string name;
  Error error;  ///< why; not in the file
};

/// What a backup holds, as listed in its file akin-backup.json (docs/index-format.md).
struct BackupManifest {
  std::string akin;          ///< version of the program that made it
  std::uint32_t format = 0;  ///< of the index
  std::string made;          ///< when it was complete (RFC 3339)
  std::vector<BackedUpCollection> collections;
  std::optional<FileDigest> state;  ///< state/data.mdb, if there was a server's
  std::vector<LeftOutCollection> left_out = {};

  /// Error: that of the first collection that was left out; it names the backup and all of them.
  [[nodiscard]] Result<void> check(const std::string& backup) const;
};

/// A copy of a backup's state, verified, for RestoreRequest::take_state.
struct BackedUpState {
  std::filesystem::path folder;  ///< a data folder without collections; removed afterwards
  /// The restored collections: their names in the backup, and those that they have now.
  std::vector<std::pair<std::string, std::string>> collections;
  bool whole = false;          ///< the whole backup is restored, with what belongs to no collection
  bool becomes_state = false;  ///< it becomes the data folder's state, as take_state leaves it
};

struct RestoreRequest {
  std::filesystem::path source;
  /// Empty = all, and with them the server's state where there is none yet.
  std::vector<std::string> collections;
  std::string as;        ///< another name for a single collection; empty = its own
  bool replace = false;  ///< an existing collection is replaced atomically
  JobControl control;
  /// Called with the names of the collections in the backup before anything is created; its error ends the
  /// restore. May be empty.
  std::function<Result<void>(const std::vector<std::string>&)> allow = {};
  /// Called when the collections are restored, if the backup has a state: takes what belongs to them from a
  /// copy of it. May be empty.
  std::function<Result<void>(const BackedUpState&)> take_state = {};
};

struct RestoredCollection {
  std::string name;
  std::uint64_t documents = 0, bytes = 0;
  bool replaced = false;
  std::string scheme;             ///< StoreIdentity::scheme
  std::string fingerprint;        ///< StoreIdentity::fingerprint
  std::string languages;          ///< StoreIdentity::languages
  bool has_dictionaries = false;  ///< the backup has those that it was built with
};

struct RestoreReport {
  std::vector<RestoredCollection> collections;
  enum class State { none, restored, kept } state = State::none;
};

}  // namespace akin
