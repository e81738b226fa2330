#include "index/lmdb/catalog.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/folders.h"
#include "base/turns_by_name.h"
#include "index/collection/collection_name.h"
#include "index/collection/new_collection.h"
#include "index/collection/readable.h"
#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/folder/backup.h"
#include "index/lmdb/folder/collection_ages.h"
#include "index/lmdb/folder/collection_list.h"
#include "index/lmdb/folder/leftovers.h"
#include "index/lmdb/folder/next_generation.h"
#include "index/lmdb/folder/scrub.h"
#include "index/lmdb/folder/summary.h"
#include "index/lmdb/folder/unfinished_folder.h"
#include "index/lmdb/open_collections.h"
#include "index/lmdb/store/quarantine.h"
#include "index/lmdb/store/store.h"

namespace akin {

namespace {

constexpr std::string_view kCollections = "collections";
constexpr std::chrono::milliseconds kCatalogPatience(30'000);

class CatalogImpl final : public Catalog, public std::enable_shared_from_this<CatalogImpl> {
 public:
  CatalogImpl(std::filesystem::path folder, std::shared_ptr<Dictionaries> dictionaries,
              const CatalogOptions& options)
      : folder_(std::move(folder)),
        shared_(shared_dictionaries(folder_)),
        dictionaries_(std::move(dictionaries)),
        open_(options.max_open) {
    store_options_.open_quarantined = options.open_quarantined;
    store_options_.lmdb.held_pages = options.held_pages;
  }

  Result<std::vector<std::string>> list() const override { return list_.names(); }

  Result<std::shared_ptr<Collection>> create(std::string_view name, std::string_view scheme_spec,
                                             bool store_text, bool store_file,
                                             std::string_view wanted_languages) override {
    AKIN_TRY(const NewBuild build,
             plan_collection({name, scheme_spec, store_text, store_file, wanted_languages}, *dictionaries_));
    AKIN_TRY(const FileLock lock, lock_catalog());
    if (has_expired(name, time_now())) AKIN_CHECK(drop_locked(name));
    if (exists(name)) return collection_exists(name);

    // Complete before it gets its name: a crash leaves no partial collection.
    const CollectionFolder making(folder_ / (std::string(kMakingPrefix) + random_token()));
    Result<void> made = make_collection(making, build.identity, build.dictionary->packed());
    if (!made.has_error()) made = rename_new(making.path(), folder_ / name);
    if (made.has_error()) {
      std::error_code ignored;
      std::filesystem::remove_all(making.path(), ignored);
      return made.error();
    }
    return get(name);
  }

  Result<std::shared_ptr<Collection>> get(std::string_view name) override {
    // A switch in between makes the opening fail as not_found; then CURRENT names the new generation.
    constexpr int kAttempts = 10;
    for (int attempt = 1;; ++attempt) {
      const Result<Generation> current = current_of(name);
      if (current.has_error()) {
        open_.remove(name);
        return current.error();
      }
      if (auto known = open_.find(name, *current)) return known;
      Result<std::shared_ptr<Collection>> opened = find_or_open(name, *current);
      if (opened.has_value()) return opened;
      open_.remove(name);
      if (opened.error().code == Errc::quarantined) quarantined_.note(name);
      if (opened.error().code != Errc::not_found || attempt == kAttempts) return opened.error();
    }
  }

  std::vector<std::shared_ptr<Collection>> open_now() override { return open_.all(); }

  Result<void> drop(std::string_view name) override {
    AKIN_TRY(const FileLock lock, lock_catalog());
    return drop_locked(name);
  }

  Result<std::optional<Time>> expiry(std::string_view name) const override {
    AKIN_CHECK(current_of(name));
    return folder_of(name).expiry();
  }

  Result<void> set_expiry(std::string_view name, const std::optional<Time>& expires) override {
    AKIN_TRY(const FileLock lock, lock_catalog());
    AKIN_CHECK(current_of(name));
    Result<void> set = folder_of(name).set_expiry(expires);
    list_.forget();
    return set;
  }

  Result<std::vector<std::string>> drop_expired(const AskTime& lived) override {
    AKIN_TRY(std::vector<std::string> names, list_.folder_names());
    std::erase_if(names, [&](const std::string& name) { return !has_expired(name, time_now()); });
    std::vector<std::string> dropped;
    if (names.empty()) return dropped;
    AKIN_TRY(const Time time, lived());
    for (const std::string& name : names) {
      if (!has_expired(name, time)) continue;
      AKIN_TRY(const FileLock lock, lock_catalog());
      // Somebody may have made it permanent meanwhile.
      if (has_expired(name, time) && !drop_locked(name).has_error()) dropped.push_back(name);
    }
    return dropped;
  }

  Result<OutdatedCollections> outdated() override {
    if (dictionaries_ == nullptr) return OutdatedCollections();
    AKIN_CHECK(dictionaries_->configured());
    AKIN_TRY(std::vector<std::string> names, list_.folder_names());
    std::ranges::sort(names);
    return ages_.outdated(
        names, *dictionaries_,
        {.exists = [this](const std::string& name) { return folder_of(name).exists(); },
         .generation = [this](const std::string& name) { return folder_of(name).current(); },
         .identity = [this](const std::string& name) { return identity(name); },
         .readable = [this](const std::string& name, const StoreIdentity& built) -> Result<void> {
           AKIN_TRY(const Generation current, current_of(name));
           return check_kept(name, built, folder_of(name).store_path(current));
         }});
  }

  Result<std::vector<std::string>> quarantined() override {
    return quarantined_.names([this] { return list(); },
                              [this](const std::string& name) {
                                const Result<Generation> current = current_of(name);
                                return !current.has_error() &&
                                       check_quarantine(folder_of(name).store_path(*current)).has_error();
                              });
  }

  Result<bool> end_quarantine(std::string_view name) override {
    AKIN_TRY(const Generation current, current_of(name));
    return akin::end_quarantine(folder_of(name).store_path(current));
  }

  Result<std::optional<ScrubPass>> scrub(std::string_view name, const ScrubControl& control) override {
    AKIN_TRY(const Generation current, current_of(name));
    const std::filesystem::path store = folder_of(name).store_path(current);
    AKIN_CHECK(check_quarantine(store));
    auto pass = scrub_store(store, control);
    if (pass.has_value() && *pass && (*pass)->findings > 0) damaged_.note(name);
    return pass;
  }

  Result<std::vector<std::string>> damaged() override {
    return damaged_.names([this] { return list(); },
                          [this](const std::string& name) {
                            const auto last = last_scrub(name);
                            return last && last->findings > 0;
                          });
  }

  std::optional<ScrubPass> last_scrub(std::string_view name) const override {
    const Result<Generation> current = current_of(name);
    return current.has_error() ? std::nullopt : last_scrub_of(folder_of(name).store_path(*current));
  }

  Result<std::optional<std::string>> packed_dictionary(std::string_view name) const override {
    AKIN_CHECK(current_of(name));
    AKIN_TRY(const CurrentStore current, open_current_store(folder_of(name)));
    return kept_dictionary(folder_of(name).store_path(current.generation));
  }

  Result<CollectionSummary> describe(std::string_view name) override {
    const CollectionFolder folder = folder_of(name);
    if (!is_collection_name(name)) return folder.not_found();
    AKIN_TRY(auto current, folder.current_and_expiry());
    const std::filesystem::path store = folder.store_path(current.first);
    if (!store_options_.open_quarantined) AKIN_CHECK(check_quarantine(store));
    AKIN_CHECK(check_permissions(store));
    std::optional<StoreSummary> summary = read_summary(store);
    if (!summary) return Catalog::describe(name);
    AKIN_CHECK(check_kept(name, summary->identity, store));
    return CollectionSummary{std::move(summary->identity), summary->stats, current.second};
  }

  Result<StoreIdentity> identity(std::string_view name) const override {
    AKIN_TRY(const Generation current, current_of(name));
    const std::filesystem::path path = folder_of(name).store_path(current);
    if (!store_options_.open_quarantined) AKIN_CHECK(check_quarantine(path));
    AKIN_CHECK(check_permissions(path));
    if (std::optional<StoreSummary> summary = read_summary(path)) return std::move(summary->identity);
    AKIN_TRY(const std::shared_ptr<Store> store, open_store(name));
    return store->identity();
  }

  Result<std::shared_ptr<Store>> open_store(std::string_view name) const override {
    AKIN_CHECK(current_of(name));
    AKIN_TRY(std::shared_ptr<LmdbStore> store, open_current(folder_of(name)));
    return std::shared_ptr<Store>(std::move(store));
  }

  Result<std::shared_ptr<Store>> open_for_update(std::string_view name) override {
    AKIN_CHECK(current_of(name));
    AKIN_TRY(FileLock maintenance, folder_of(name).lock_maintenance(std::chrono::milliseconds(0)));
    AKIN_TRY(std::shared_ptr<Store> store, open_store(name));
    const auto held = std::make_shared<std::pair<FileLock, std::shared_ptr<Store>>>(std::move(maintenance),
                                                                                    std::move(store));
    return std::shared_ptr<Store>(held, held->second.get());
  }

  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity,
      const std::optional<std::string>& packed) override {
    return begin_folder(folder_, name, identity, packed);
  }

  Result<void> reindex(std::string_view name, std::string_view scheme, const JobControl& control) override {
    if (!is_collection_name(name)) return folder_of(name).not_found();
    Result<void> rebuilt = reindex_collection(folder_of(name), {*dictionaries_, scheme}, shared_, control);
    remove_unused_dictionaries(shared_);
    return rebuilt;
  }

  Result<Compaction> compact(std::string_view name, const JobControl& control) override {
    if (!is_collection_name(name)) return folder_of(name).not_found();
    return compact_collection(folder_of(name), shared_, control);
  }

  Result<BackupManifest> backup(const BackupRequest& request) override {
    std::vector<std::string> names = request.collections;
    for (const std::string& name : names) AKIN_CHECK(current_of(name));
    if (names.empty()) {
      AKIN_TRY(names, list());
    }
    return make_backup(folder_, request, names);
  }

  Result<RestoreReport> restore(const RestoreRequest& request) override {
    return restore_backup(folder_, request, [this] { return lock_catalog(); });
  }

 private:
  /// Requires the catalog's lock.
  [[nodiscard]] Result<void> drop_locked(std::string_view name) {
    if (!is_collection_name(name)) return folder_of(name).not_found();
    const CollectionFolder folder = folder_of(name);
    const std::filesystem::path dropped = folder_ / (std::string(kDroppedPrefix) + random_token());
    {
      AKIN_TRY(const FileLock maintenance, folder.lock_maintenance());
      AKIN_TRY(const FileLock alone, folder.lock_exclusively());
      AKIN_CHECK(rename_new(folder.path(), dropped));
    }
    open_.remove(name);
    // The collection no longer exists; files that cannot be removed now are removed by the next attempt.
    std::error_code ignored;
    std::filesystem::remove_all(dropped, ignored);
    remove_unused_dictionaries(shared_);
    return {};
  }

  [[nodiscard]] bool has_expired(std::string_view name, Time time) const {
    const auto expires = folder_of(name).expiry();
    return expires.has_value() && *expires && **expires <= time;
  }

  /// All collections, including expired ones that are not removed yet.
  [[nodiscard]] CollectionFolder folder_of(std::string_view name) const {
    return CollectionFolder(folder_ / name);
  }

  [[nodiscard]] Result<Generation> current_of(std::string_view name) const {
    if (!is_collection_name(name)) return folder_of(name).not_found();
    return folder_of(name).current();
  }

  [[nodiscard]] bool exists(std::string_view name) const {
    struct stat there = {};
    return lstat((folder_ / name).c_str(), &there) == 0;
  }

  [[nodiscard]] Result<void> make_collection(const CollectionFolder& folder, const StoreIdentity& identity,
                                             std::string_view packed) const {
    const Generation first{1, random_token()};
    AKIN_CHECK(folder.make());
    AKIN_CHECK(LmdbStore::create(folder.store_path(first), identity));
    AKIN_CHECK(keep_dictionary(folder.store_path(first), shared_, packed));
    return folder.switch_to(first);
  }

  [[nodiscard]] Result<FileLock> lock_catalog() const {
    return FileLock::exclusive(folder_ / kCatalogLock, kCatalogPatience, "the making of another collection");
  }

  /// check_readable, for the store in a folder.
  [[nodiscard]] Result<void> check_kept(std::string_view name, const StoreIdentity& built,
                                        const std::filesystem::path& store) {
    return check_readable(name, built, *dictionaries_, [&] { return known_.fingerprints(store); });
  }

  /// One thread opens it; others that want it wait for that.
  [[nodiscard]] Result<std::shared_ptr<Collection>> find_or_open(std::string_view name,
                                                                 const Generation& current) {
    const TurnsByName::Turn turn(opening_, name);
    if (auto known = open_.find(name, current)) return known;
    AKIN_TRY(OpenCollections::Opened opened, open_collection(folder_of(name), name, current));
    std::shared_ptr<Collection> collection = opened.collection;
    open_.add(name, current, std::move(opened));
    return collection;
  }

  [[nodiscard]] Result<OpenCollections::Opened> open_collection(const CollectionFolder& folder,
                                                                std::string_view name,
                                                                const Generation& current) {
    AKIN_TRY(std::shared_ptr<LmdbStore> store, LmdbStore::open(folder.store_path(current), store_options_));
    remove_job_leftovers(folder, current, *store);
    const std::filesystem::path generation = folder.store_path(current);
    AKIN_TRY(std::shared_ptr<Collection> collection,
             Collection::open({std::string(name), store, nullptr, nullptr,
                               std::make_shared<FolderWriteGuard>(folder), current, weak_from_this()},
                              *dictionaries_, [&] { return kept_dictionary(generation); }));
    ages_.forget_unreadable(name);
    return OpenCollections::Opened{std::move(collection), std::move(store)};
  }

  const std::filesystem::path folder_;  ///< DIR/collections
  mutable CollectionList list_{folder_};
  const std::filesystem::path shared_;  ///< DIR/dictionaries
  const std::shared_ptr<Dictionaries> dictionaries_;
  LmdbStoreOptions store_options_;
  CollectionAges ages_;
  KnownDictionaries known_;
  NotedCollections quarantined_, damaged_;
  TurnsByName opening_;
  OpenCollections open_;
};

Result<void> prepare_data_folder(const std::filesystem::path& folder, bool create) {
  if (create) {
    AKIN_CHECK(make_folders(folder));
    AKIN_CHECK(make_folder(folder / kCollections));
  }
  struct stat there = {};
  if (stat((folder / kCollections).c_str(), &there) != 0 || !S_ISDIR(there.st_mode)) {
    return Error{Errc::not_found, "data folder '" + folder.string() + "'", "there is no index of akin in it",
                 "check --data, or index something into it first"};
  }
  const std::filesystem::path lock = folder / kCollections / kCatalogLock;
  const FileHandle file(open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) return system_error(errno, lock.string(), "open");
  return {};
}

}  // namespace

Result<std::shared_ptr<Catalog>> open_data_folder(const std::filesystem::path& folder,
                                                  std::shared_ptr<Dictionaries> dictionaries, bool create,
                                                  const CatalogOptions& options) {
  if (folder.empty())
    return Error{Errc::invalid_argument, "data folder", "its name is empty", "give --data DIR"};
  AKIN_CHECK(prepare_data_folder(folder, create));
  auto catalog = std::make_shared<CatalogImpl>(folder / kCollections, std::move(dictionaries), options);
  remove_catalog_leftovers(folder / kCollections);
  return std::shared_ptr<Catalog>(std::move(catalog));
}

Result<std::shared_ptr<Catalog>> open_data_folder(const std::filesystem::path& folder,
                                                  const std::shared_ptr<const Dictionary>& dictionary,
                                                  std::string languages, bool create,
                                                  const CatalogOptions& options) {
  return open_data_folder(folder, std::make_shared<Dictionaries>(dictionary, std::move(languages)), create,
                          options);
}

}  // namespace akin
