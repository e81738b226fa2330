#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "dict/dictionary.h"
#include "index/collection_name.h"
#include "index/lmdb/backup.h"
#include "index/lmdb/backup_manifest.h"
#include "index/lmdb/collection_folder.h"
#include "index/lmdb/format.h"
#include "index/lmdb/hashed_file.h"
#include "index/lmdb/kept_dictionary.h"
#include "index/lmdb/store.h"

namespace akin {

namespace {

/// A folder or a file that is removed unless it is kept.
class Scaffold {
 public:
  explicit Scaffold(std::filesystem::path path) : path_(std::move(path)) {}
  ~Scaffold() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  Scaffold(const Scaffold&) = delete;
  Scaffold& operator=(const Scaffold&) = delete;
  void keep() noexcept { kept_ = true; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

constexpr std::string_view kStateFolder = "state";  ///< in a data folder

struct StagedState {
  std::unique_ptr<Scaffold> folder;
  FileLock maintenance;
};

class Restore {
 public:
  Restore(const std::filesystem::path& collections, const RestoreRequest& request, std::uint64_t total)
      : collections_(collections), request_(request) {
    progress_.phase = "copying";
    progress_.bytes_total = total;
    if (request_.control.progress) request_.control.progress(progress_);
  }

  /// A collection under a free name.
  Result<void> make(const BackedUpCollection& from, const std::string& name,
                    const std::function<Result<FileLock>()>& lock_catalog) {
    const CollectionFolder making(collections_ / (std::string(kRestoringPrefix) + random_token()));
    Scaffold scaffold(making.path());
    AKIN_CHECK(making.make());
    AKIN_TRY(const FileLock maintenance, making.lock_maintenance(std::chrono::milliseconds(0)));
    const Generation first{1, random_token()};
    AKIN_CHECK(copy_store(from, making.store_path(first)));
    AKIN_CHECK(making.switch_to(first));
    AKIN_TRY(const FileLock catalog, lock_catalog());
    AKIN_CHECK(rename_new(making.path(), collections_ / name));
    scaffold.keep();
    return {};
  }

  /// The next generation of an existing collection.
  Result<void> replace(const BackedUpCollection& from, const CollectionFolder& folder) {
    AKIN_TRY(const FileLock maintenance, folder.lock_maintenance());
    AKIN_TRY(const Generation old, folder.current());
    folder.remove_leftovers(old);
    const Generation next{old.number + 1, random_token()};
    Scaffold scaffold(folder.store_path(next));
    AKIN_CHECK(copy_store(from, folder.store_path(next)));
    {
      AKIN_TRY(const FileLock alone, folder.lock_exclusively());
      AKIN_CHECK(folder.switch_to(next));
      scaffold.keep();
    }
    folder.remove_leftovers(next);
    return {};
  }

  /// A copy of the backup's state, in a data folder of its own.
  Result<StagedState> stage_state(const FileDigest& digest) {
    const CollectionFolder folder(collections_ / (std::string(kRestoringPrefix) + random_token()));
    auto scaffold = std::make_unique<Scaffold>(folder.path());
    AKIN_CHECK(folder.make());
    // Others remove a folder whose maintenance lock nobody holds.
    AKIN_TRY(FileLock maintenance, folder.lock_maintenance());
    const std::filesystem::path state = folder.path() / kStateFolder;
    AKIN_CHECK(make_folder(state));
    AKIN_CHECK(copy_file(backed_up_state(request_.source), state / format::kDataFile, digest));
    AKIN_CHECK(sync_folder(state));
    return StagedState{std::move(scaffold), std::move(maintenance)};
  }

 private:
  /// Copies a store to a new folder and checks that it matches the manifest.
  Result<void> copy_store(const BackedUpCollection& from, const std::filesystem::path& folder) {
    AKIN_CHECK(make_folder(folder));
    AKIN_CHECK(copy_file(backed_up_file(request_.source, from.name), folder / format::kDataFile, from.file));
    AKIN_CHECK(replace_file(folder / format::kMergeLock, ""));
    AKIN_TRY(const std::shared_ptr<LmdbStore> store, LmdbStore::open(folder));
    AKIN_CHECK(store->end_change_log());
    AKIN_TRY(const std::unique_ptr<Snapshot> view, store->snapshot());
    AKIN_TRY(const StoreStats stats, view->stats());
    if (stats.documents != from.documents || stats.features != from.features ||
        store->identity().fingerprint != from.identity.fingerprint) {
      return Error{Errc::corrupt, "collection '" + from.name + "' in the backup",
                   "its file does not hold what the manifest says", "use another backup"};
    }
    return from.dictionaries ? copy_dictionaries(*from.dictionaries, folder) : Result<void>();
  }

  Result<void> copy_dictionaries(const BackedUpCollection::Dictionaries& from,
                                 const std::filesystem::path& folder) {
    const std::filesystem::path file = backed_up_dictionaries(request_.source, from.fingerprint);
    const std::filesystem::path copy = folder / "dictionary.new";
    const Scaffold scaffold(copy);
    AKIN_CHECK(copy_file(file, copy, from.file));
    AKIN_TRY(const std::string packed, read_whole_file(copy));
    if (Dictionary::fingerprint_of_packed(packed) != from.fingerprint) {
      return Error{Errc::corrupt, file.string(), "it does not hold the dictionaries that the manifest names",
                   "use another backup"};
    }
    return keep_dictionary(folder, shared_dictionaries(collections_), packed);
  }

  Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to,
                         const FileDigest& expected) {
    AKIN_TRY(HashedFile file, HashedFile::make(to));
    const auto take = [&](std::string_view bytes) -> Result<void> {
      if (request_.control.stop.stop_requested())
        return Error{Errc::unsupported, "restore", "it was stopped before it finished", "start it again"};
      AKIN_CHECK(file.write(bytes));
      progress_.bytes_done += bytes.size();
      if (request_.control.progress) request_.control.progress(progress_);
      return {};
    };
    Result<void> copied = read_foreign_file(from, expected.bytes, take);
    if (copied.has_error() && copied.error().code != Errc::too_large) return copied;
    AKIN_TRY(const FileDigest digest, file.finish());
    if (!copied.has_error() && digest == expected) return {};
    return Error{Errc::corrupt, from.string(), "its length or its SHA-256 is not the one in the manifest",
                 "the backup has been damaged: use another one"};
  }

  const std::filesystem::path& collections_;
  const RestoreRequest& request_;
  JobProgress progress_;
};

bool is_there(const std::filesystem::path& path) {
  struct stat there = {};
  return lstat(path.c_str(), &there) == 0;
}

/// The requested parts of a backup, in its order.
Result<std::vector<BackedUpCollection>> choose(const BackupManifest& manifest,
                                               const RestoreRequest& request) {
  std::vector<BackedUpCollection> chosen;
  for (const BackedUpCollection& one : manifest.collections) {
    const auto& wanted = request.collections;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), one.name) != wanted.end())
      chosen.push_back(one);
  }
  for (const std::string& name : request.collections) {
    const auto same = [&](const BackedUpCollection& one) { return one.name == name; };
    if (std::none_of(chosen.begin(), chosen.end(), same)) {
      return Error{Errc::not_found, "collection '" + name + "'",
                   "the backup has no collection with this name",
                   "look into its " + std::string(kManifestFile)};
    }
  }
  if (!request.as.empty() && (chosen.size() != 1 || !is_collection_name(request.as))) {
    return Error{
        Errc::invalid_argument, "name '" + request.as + "'",
        chosen.size() != 1 ? "there are several collections to restore" : "no collection can have it",
        chosen.size() != 1 ? "choose one of them" : "choose another name"};
  }
  return chosen;
}

}  // namespace

Result<RestoreReport> restore_backup(const std::filesystem::path& collections, const RestoreRequest& request,
                                     const std::function<Result<FileLock>()>& lock_catalog) {
  AKIN_TRY(const BackupManifest manifest, read_manifest(request.source));
  if (request.allow) {
    std::vector<std::string> names;
    for (const BackedUpCollection& one : manifest.collections) names.push_back(one.name);
    AKIN_CHECK(request.allow(names));
  }
  AKIN_TRY(const std::vector<BackedUpCollection> chosen, choose(manifest, request));
  const auto name_of = [&](const BackedUpCollection& one) {
    return request.as.empty() ? one.name : request.as;
  };
  const std::filesystem::path state = collections.parent_path() / kStateFolder;
  const bool whole = request.collections.empty();
  const bool stages_state = manifest.state && (request.take_state || (whole && !is_there(state)));
  std::uint64_t total = stages_state ? manifest.state->bytes : 0;
  for (const BackedUpCollection& one : chosen) {
    total += one.file.bytes;
    if (!request.replace && is_there(collections / name_of(one))) {
      return Error{Errc::already_exists, "collection '" + name_of(one) + "'",
                   "a collection with this name exists; nothing was restored",
                   "replace it, or restore under another name"};
    }
  }
  Restore restore(collections, request, total);
  RestoreReport report;
  // Copied and verified before anything is visible.
  std::optional<StagedState> staged;
  if (stages_state) {
    AKIN_TRY(staged, restore.stage_state(*manifest.state));
  }
  BackedUpState copy{{}, {}, whole, false};
  for (const BackedUpCollection& one : chosen) {
    const std::string name = name_of(one);
    const CollectionFolder folder(collections / name);
    const bool replaced = is_there(folder.path());
    AKIN_CHECK(replaced ? restore.replace(one, folder) : restore.make(one, name, lock_catalog));
    report.collections.push_back({name, one.documents, one.file.bytes, replaced, one.identity.scheme,
                                  one.identity.fingerprint, one.dictionaries.has_value()});
    copy.collections.emplace_back(one.name, name);
  }
  copy.becomes_state = whole && !is_there(state);
  if (staged) {
    copy.folder = staged->folder->path();
    if (request.take_state) AKIN_CHECK(request.take_state(copy));
    if (copy.becomes_state) AKIN_CHECK(rename_new(copy.folder / kStateFolder, state));
  }
  if (whole && manifest.state) {
    report.state = copy.becomes_state ? RestoreReport::State::restored : RestoreReport::State::kept;
  }
  return report;
}

}  // namespace akin
