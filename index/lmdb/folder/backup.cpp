#include "index/lmdb/folder/backup.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <map>

#include "base/folders.h"
#include "base/time.h"
#include "dict/dictionary.h"
#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/folder/backup_manifest.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/folder/hashed_file.h"
#include "index/lmdb/folder/next_generation.h"
#include "index/lmdb/store/store.h"

namespace akin {

namespace {

Error stopped() {
  return Error{Errc::unsupported, "backup", "it was stopped before it finished", "start it again"};
}

/// Reports bytes of files, and notices a request to stop.
class CopyMeter {
 public:
  CopyMeter(const JobControl& control, std::uint64_t total) : control_(control) {
    progress_.phase = "copying";
    progress_.bytes_total = total;
    if (control_.progress) control_.progress(progress_);
  }
  Result<void> add(std::uint64_t bytes) {
    if (control_.stop.stop_requested()) return stopped();
    progress_.bytes_done += bytes;
    // The total is that of the collections, to which dictionaries and the state come.
    progress_.bytes_total = std::max(progress_.bytes_total, progress_.bytes_done);
    if (control_.progress) control_.progress(progress_);
    return {};
  }

 private:
  const JobControl& control_;
  JobProgress progress_;
};

using CopySource = std::function<Result<void>(const ByteSink&)>;

/// Writes what `source` produces into a new file, in a folder created for it.
Result<FileDigest> write_file(const std::filesystem::path& path, const CopySource& source, CopyMeter& meter) {
  AKIN_CHECK(make_private_folder(path.parent_path()));
  AKIN_TRY(HashedFile file, HashedFile::make(path));
  const Result<void> copied = source([&](std::string_view bytes) -> Result<void> {
    AKIN_CHECK(meter.add(bytes.size()));
    return file.write(bytes);
  });
  if (copied.has_error()) return copied.error();
  AKIN_TRY(FileDigest digest, file.finish());
  AKIN_CHECK(sync_folder(path.parent_path()));
  return digest;
}

/// Opens a copied store, which proves that it is one, and reads its summary.
Result<void> inspect(const std::filesystem::path& folder, BackedUpCollection& collection) {
  {
    AKIN_TRY(const std::shared_ptr<LmdbStore> store, LmdbStore::open(folder));
    collection.identity = store->identity();
    AKIN_TRY(const std::unique_ptr<Snapshot> view, store->snapshot());
    AKIN_TRY(const StoreStats stats, view->stats());
    collection.documents = stats.documents;
    collection.features = stats.features;
  }
  // LMDB's own file, which is created again when the environment is opened.
  std::error_code ignored;
  std::filesystem::remove(folder / format::kLockFile, ignored);
  return {};
}

class Backup {
 public:
  Backup(const std::filesystem::path& collections, const BackupRequest& request, std::filesystem::path making,
         std::uint64_t total)
      : collections_(collections),
        request_(request),
        making_(std::move(making)),
        meter_(request.control, total) {}

  Result<BackupManifest> make(const std::vector<std::string>& names) {
    if (const Result<void> made = make_private_folder(making_); made.has_error()) {
      Error error = made.error();
      error.what = "backup '" + request_.target.string() + "'";  // the user knows no other name
      return error;
    }
    BackupManifest manifest;
    manifest.akin = AKIN_VERSION;
    manifest.format = format::kFormatVersion;
    // The state first, so that everything it refers to is in the collections.
    AKIN_TRY(manifest.state, copy_state());
    AKIN_CHECK(copy_collections(names, manifest));
    manifest.made = format_time_exactly(time_now());
    AKIN_CHECK(replace_file(making_ / kManifestFile, encode_manifest(manifest)));
    return manifest;
  }

 private:
  Result<void> copy_collections(const std::vector<std::string>& names, BackupManifest& manifest) {
    AKIN_CHECK(make_private_folder(making_ / "collections"));
    for (const std::string& name : names) {
      Result<BackedUpCollection> collection = copy_collection(name);
      if (collection.has_value()) {
        manifest.collections.push_back(*std::move(collection));
        continue;
      }
      const Error& error = collection.error();
      if (!request_.collections.empty() || error.code == Errc::disk_full ||
          request_.control.stop.stop_requested())
        return error;
      std::error_code ignored;
      std::filesystem::remove_all(backed_up_file(making_, name).parent_path(), ignored);
      // A collection that was dropped or has expired meanwhile is not missed.
      if (CollectionFolder(collections_ / name).exists()) manifest.left_out.push_back({name, error});
    }
    return {};
  }

  Result<BackedUpCollection> copy_collection(const std::string& name) {
    const CollectionFolder folder(collections_ / name);
    AKIN_TRY(const CurrentStore current, open_current_store(folder));
    const std::shared_ptr<LmdbStore>& store = current.store;
    BackedUpCollection collection;
    collection.name = name;
    AKIN_TRY(const auto packed, kept_dictionary(folder.store_path(current.generation)));
    if (packed) {
      AKIN_TRY(collection.dictionaries, copy_dictionaries(name, *packed));
    }
    const std::filesystem::path file = backed_up_file(making_, name);
    AKIN_TRY(collection.file, write_file(
                                  file, [&](const ByteSink& take) { return store->copy(take); }, meter_));
    AKIN_CHECK(inspect(file.parent_path(), collection));
    return collection;
  }

  /// Collections that were built with the same dictionaries share a file.
  Result<std::optional<BackedUpCollection::Dictionaries>> copy_dictionaries(const std::string& collection,
                                                                            const std::string& packed) {
    const std::string fingerprint(Dictionary::fingerprint_of_packed(packed));
    if (fingerprint.empty()) {
      return Error{Errc::corrupt, "dictionaries of collection '" + collection + "'", "their file is damaged",
                   "run `akin reindex --collection " + collection + "` to build it with those configured"};
    }
    auto known = dictionaries_.find(fingerprint);
    if (known == dictionaries_.end()) {
      const auto source = [&](const ByteSink& take) { return take(packed); };
      AKIN_TRY(FileDigest digest, write_file(backed_up_dictionaries(making_, fingerprint), source, meter_));
      known = dictionaries_.emplace(fingerprint, std::move(digest)).first;
    }
    return std::optional(BackedUpCollection::Dictionaries{fingerprint, known->second});
  }

  Result<std::optional<FileDigest>> copy_state() {
    CopySource source = request_.copy_state;
    std::optional<lmdb::Env> env;
    if (!source) {
      const std::filesystem::path folder = collections_.parent_path() / "state";
      struct stat there = {};
      if (stat((folder / format::kDataFile).c_str(), &there) != 0) return std::optional<FileDigest>();
      AKIN_TRY(env, lmdb::Env::open(folder, {}, {}, false));
      source = [&](const ByteSink& take) { return env->copy(take); };
    }
    AKIN_TRY(FileDigest digest, write_file(backed_up_state(making_), source, meter_));
    return std::optional(std::move(digest));
  }

  const std::filesystem::path& collections_;
  const BackupRequest& request_;
  const std::filesystem::path making_;
  CopyMeter meter_;
  std::map<std::string, FileDigest> dictionaries_;  ///< copied already, by fingerprint
};

Result<void> check_target(const std::filesystem::path& target, const std::filesystem::path& collections) {
  if (target.empty() || target.filename().empty() || target.filename() == "." || target.filename() == "..") {
    return Error{Errc::invalid_argument, "backup '" + target.string() + "'",
                 "it is not the name of a new folder", "name a folder that does not exist yet"};
  }
  std::error_code code;
  const auto in_collections = std::filesystem::weakly_canonical(target, code)
                                  .lexically_relative(std::filesystem::weakly_canonical(collections, code));
  if (!code && !in_collections.empty() && *in_collections.begin() != "..") {
    return Error{Errc::invalid_argument, "backup '" + target.string() + "'",
                 "it would be taken for a collection", "name a folder outside " + collections.string()};
  }
  const std::filesystem::file_status status = std::filesystem::symlink_status(target, code);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (std::filesystem::is_directory(status) && std::filesystem::is_empty(target, code) && !code) return {};
  return Error{Errc::already_exists, "backup '" + target.string() + "'",
               "a file or folder with this name exists",
               "name a folder that does not exist yet, or an empty one"};
}

std::uint64_t bytes_of(const std::filesystem::path& collections, const std::vector<std::string>& names) {
  std::uint64_t bytes = 0;
  for (const std::string& name : names) {
    const CollectionFolder folder(collections / name);
    const Result<Generation> current = folder.current();
    std::error_code code;
    if (current.has_error()) continue;
    const auto size = std::filesystem::file_size(folder.store_path(*current) / format::kDataFile, code);
    if (!code) bytes += size;
  }
  return bytes;
}

/// A backup whose name may not be on the disk has failed, and loses it again.
Result<void> give_name(const std::filesystem::path& making, const std::filesystem::path& target) {
  // An empty folder with this name is replaced; anything else was created meanwhile and is kept.
  if (std::rename(making.c_str(), target.c_str()) != 0)
    return system_error(errno, "backup '" + target.string() + "'", "rename the finished copy to it");
  Result<void> synced = sync_folder(making.parent_path());
  if (synced.has_error()) std::rename(target.c_str(), making.c_str());
  return synced;
}

}  // namespace

Result<void> BackupManifest::check(const std::string& backup) const {
  if (left_out.empty()) return {};
  Error error = left_out.front().error;
  error.what = "backup '" + backup + "'";
  error.reason.clear();
  for (const LeftOutCollection& one : left_out) {
    error.reason += error.reason.empty() ? "it was made without " : "; and without ";
    error.reason += one.error.what + ": " + one.error.reason;
  }
  return error;
}

Result<BackupManifest> make_backup(const std::filesystem::path& collections, const BackupRequest& request,
                                   const std::vector<std::string>& names) {
  std::filesystem::path target = request.target;
  if (!target.has_filename()) target = target.parent_path();  // "backup/"
  AKIN_CHECK(check_target(target, collections));
  const std::filesystem::path parent = target.has_parent_path() ? target.parent_path() : ".";
  const std::filesystem::path making = parent / (".akin-backup-" + random_token());
  Backup backup(collections, request, making, bytes_of(collections, names));
  Result<BackupManifest> made = backup.make(names);
  if (!made.has_error()) {
    const Result<void> named = give_name(making, target);
    if (named.has_error()) made = named.error();
  }
  std::error_code ignored;
  if (made.has_error()) std::filesystem::remove_all(making, ignored);
  return made;
}

}  // namespace akin
