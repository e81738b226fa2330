#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/folders.h"
#include "dict/dictionary.h"
#include "index/collection/collection_name.h"
#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/folder/backup.h"
#include "index/lmdb/folder/backup_manifest.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/folder/hashed_file.h"
#include "index/lmdb/store/store.h"

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
constexpr mode_t kCollectionMode = 0644;
constexpr mode_t kStateMode = 0600;  ///< it has secrets

bool is_there(const std::filesystem::path& path) {
  struct stat there = {};
  return lstat(path.c_str(), &there) == 0;
}

struct StagedState {
  std::unique_ptr<Scaffold> folder;
  FileLock maintenance;
};

/// A collection's next generation, complete and on the disk, in a folder of its own or beside the present
/// one.
class StagedCollection {
 public:
  StagedCollection(CollectionFolder folder, const Generation& next, FileLock maintenance)
      : folder_(std::move(folder)), next_(next), maintenance_(std::move(maintenance)) {}
  virtual ~StagedCollection() = default;
  StagedCollection(const StagedCollection&) = delete;
  StagedCollection& operator=(const StagedCollection&) = delete;

  [[nodiscard]] std::filesystem::path store() const { return folder_.store_path(next_); }
  /// Makes it visible. Durable when it returns; after an error it is visible or not.
  [[nodiscard]] virtual Result<void> place() = 0;
  /// Takes it back, where nothing was before it.
  virtual void take_back() = 0;

 protected:
  const CollectionFolder folder_;
  const Generation next_;

 private:
  FileLock maintenance_;
};

/// A collection under a free name. Unless it is placed, it is removed.
class NewCollection final : public StagedCollection {
 public:
  NewCollection(const CollectionFolder& making, const Generation& first, FileLock maintenance,
                std::filesystem::path target)
      : StagedCollection(making, first, std::move(maintenance)),
        target_(std::move(target)),
        scaffold_(making.path()) {}

  Result<void> place() override {
    AKIN_CHECK(folder_.switch_to(next_));
    Result<void> named = rename_new(folder_.path(), target_);
    placed_ = !is_there(folder_.path());
    return named;
  }
  void take_back() override {
    if (!placed_) return;
    const Result<FileLock> alone = CollectionFolder(target_).lock_exclusively();
    if (!alone.has_error()) std::rename(target_.c_str(), folder_.path().c_str());
  }

 private:
  const std::filesystem::path target_;
  const Scaffold scaffold_;
  bool placed_ = false;
};

/// The next generation of an existing collection.
class NextGeneration final : public StagedCollection {
 public:
  using StagedCollection::StagedCollection;
  ~NextGeneration() override {
    // Whichever generation is in use: the other one goes.
    if (const Result<Generation> current = folder_.current(); !current.has_error())
      folder_.remove_leftovers(*current);
  }
  NextGeneration(const NextGeneration&) = delete;
  NextGeneration& operator=(const NextGeneration&) = delete;

  Result<void> place() override {
    AKIN_TRY(const FileLock alone, folder_.lock_exclusively());
    return folder_.switch_to(next_);
  }
  void take_back() override {}
};

class Restore {
 public:
  Restore(const std::filesystem::path& collections, const RestoreRequest& request, std::uint64_t total)
      : collections_(collections), request_(request) {
    progress_.phase = "copying";
    progress_.bytes_total = total;
    if (request_.control.progress) request_.control.progress(progress_);
  }

  /// Under a free name, or beside the present generation of an existing collection.
  Result<std::unique_ptr<StagedCollection>> stage(const BackedUpCollection& from, const std::string& name,
                                                  bool replaces) {
    AKIN_TRY(std::unique_ptr<StagedCollection> staged, replaces ? beside(collections_ / name) : alone(name));
    AKIN_CHECK(copy_store(from, staged->store()));
    return staged;
  }

  /// A copy of the backup's state, in a data folder of its own.
  Result<StagedState> stage_state(const FileDigest& digest) {
    const CollectionFolder folder(collections_ / (std::string(kRestoringPrefix) + random_token()));
    auto scaffold = std::make_unique<Scaffold>(folder.path());
    AKIN_CHECK(folder.make());
    // Others remove a folder whose maintenance lock nobody holds.
    AKIN_TRY(FileLock maintenance, folder.lock_maintenance());
    const std::filesystem::path state = folder.path() / kStateFolder;
    AKIN_CHECK(make_private_folder(state));
    AKIN_CHECK(copy_file(backed_up_state(request_.source), state / format::kDataFile, digest, kStateMode));
    AKIN_CHECK(sync_folder(state));
    return StagedState{std::move(scaffold), std::move(maintenance)};
  }

 private:
  Result<std::unique_ptr<StagedCollection>> alone(const std::string& name) {
    const CollectionFolder making(collections_ / (std::string(kRestoringPrefix) + random_token()));
    Scaffold scaffold(making.path());
    AKIN_CHECK(making.make());
    AKIN_TRY(FileLock maintenance, making.lock_maintenance(std::chrono::milliseconds(0)));
    auto staged = std::make_unique<NewCollection>(making, Generation{1, random_token()},
                                                  std::move(maintenance), collections_ / name);
    scaffold.keep();
    return std::unique_ptr<StagedCollection>(std::move(staged));
  }

  static Result<std::unique_ptr<StagedCollection>> beside(const std::filesystem::path& collection) {
    const CollectionFolder folder(collection);
    AKIN_TRY(FileLock maintenance, folder.lock_maintenance());
    const Result<Generation> old = folder.current();
    if (old.has_error() && old.error().code != Errc::corrupt) return old.error();
    if (!old.has_error()) folder.remove_leftovers(*old);
    return std::unique_ptr<StagedCollection>(std::make_unique<NextGeneration>(
        folder, Generation{folder.free_number(), random_token()}, std::move(maintenance)));
  }

  /// Copies a store to a new folder and checks that it matches the manifest.
  Result<void> copy_store(const BackedUpCollection& from, const std::filesystem::path& folder) {
    AKIN_CHECK(make_folder(folder));
    AKIN_CHECK(copy_file(backed_up_file(request_.source, from.name), folder / format::kDataFile, from.file,
                         kCollectionMode));
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
    AKIN_CHECK(copy_file(file, copy, from.file, kCollectionMode));
    AKIN_TRY(const std::string packed, read_whole_file(copy));
    if (Dictionary::fingerprint_of_packed(packed) != from.fingerprint) {
      return Error{Errc::corrupt, file.string(), "it does not hold the dictionaries that the manifest names",
                   "use another backup"};
    }
    return keep_dictionary(folder, shared_dictionaries(collections_), packed);
  }

  Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to,
                         const FileDigest& expected, mode_t mode) {
    AKIN_TRY(HashedFile file, HashedFile::make(to, mode));
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

using StagedCollections = std::vector<std::unique_ptr<StagedCollection>>;

/// All of them, or after an error none of those under free names, so that the same restore can be repeated.
Result<void> place(StagedCollections& staged, const std::function<Result<void>()>& take_state,
                   const std::function<Result<FileLock>()>& lock_catalog) {
  AKIN_TRY(const FileLock catalog, lock_catalog());
  const auto place_all = [&]() -> Result<void> {
    for (const auto& one : staged) AKIN_CHECK(one->place());
    return take_state();
  };
  Result<void> placed = place_all();
  if (placed.has_error()) {
    for (const auto& one : staged) one->take_back();
  }
  return placed;
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
                   "replace it (--replace), or restore under another name (--only, --as)"};
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
  StagedCollections new_ones;
  for (const BackedUpCollection& one : chosen) {
    const std::string name = name_of(one);
    const bool replaced = is_there(collections / name);
    AKIN_TRY(auto one_staged, restore.stage(one, name, replaced));
    new_ones.push_back(std::move(one_staged));
    report.collections.push_back({name, one.documents, one.file.bytes, replaced, one.identity.scheme,
                                  one.identity.fingerprint, one.identity.languages,
                                  one.dictionaries.has_value()});
    copy.collections.emplace_back(one.name, name);
  }
  copy.becomes_state = whole && !is_there(state);
  const auto take_state = [&]() -> Result<void> {
    if (!staged) return {};
    copy.folder = staged->folder->path();
    if (request.take_state) AKIN_CHECK(request.take_state(copy));
    return copy.becomes_state ? rename_new(copy.folder / kStateFolder, state) : Result<void>();
  };
  AKIN_CHECK(place(new_ones, take_state, lock_catalog));
  if (whole && manifest.state) {
    report.state = copy.becomes_state ? RestoreReport::State::restored : RestoreReport::State::kept;
  }
  return report;
}

}  // namespace akin
