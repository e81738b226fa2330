#include "index/lmdb/store/open_store.h"

#include <sys/stat.h>

#include <cerrno>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/crc32c.h"
#include "base/exceptions.h"
#include "base/files.h"
#include "base/waiting.h"
#include "index/codec/encoding.h"
#include "index/collection/crash_record.h"
#include "index/lmdb/documents/change_log.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/store/quarantine.h"
#include "index/lmdb/tables/meta_table.h"
#include "index/lmdb/tables/runs.h"

namespace akin {

namespace {

constexpr std::string_view kYes = "yes";
constexpr std::string_view kNo = "no";

using FileKey = std::pair<dev_t, ino_t>;

Result<FileKey> file_key(const std::filesystem::path& folder) {
  struct stat file = {};
  const std::filesystem::path data = folder / "data.mdb";
  if (stat(data.c_str(), &file) != 0) return system_error(errno, data.string(), "open");
  return FileKey(file.st_dev, file.st_ino);
}

/// The stores that are open in this process, by their data file. An entry lives until its environment is
/// closed, so that the next opening of the file waits for that.
class Registry {
 public:
  static Registry& instance() {
    // Never destroyed: stores may be closed by other static objects.
    static auto* const registry = new Registry;
    return *registry;
  }

  /// The store in a folder, opened by `open_anew` if it is not open.
  template <class Open>
  Result<std::shared_ptr<OpenStore>> find_or(const std::filesystem::path& folder, const Open& open_anew) {
    std::unique_lock lock(mutex_);
    for (;;) {
      AKIN_TRY(const FileKey file, file_key(folder));
      const auto entry = open_.find(file);
      if (entry != open_.end() || opening_.contains(folder)) {
        if (entry != open_.end()) {
          if (std::shared_ptr<OpenStore> store = entry->second.lock()) return store;
        }
        const Waiting waiting;
        changed_.wait(lock);
        continue;
      }
      open_[file];  // who comes to the file by another name waits
      try {
        opening_.insert(folder);
      } catch (...) {
        open_.erase(file);
        throw;
      }
      lock.unlock();
      Result<std::unique_ptr<OpenStore>> store = without_exceptions(open_anew);
      lock.lock();
      opening_.erase(folder);
      changed_.notify_all();
      Result<FileKey> opened = store.has_error() ? Result<FileKey>(store.error()) : (*store)->env.file_id();
      // Unless another store has taken the folder's place meanwhile: then this one is closed, and searched
      // for.
      const bool is_it = opened.has_value() && *opened == file;
      auto added = without_exceptions([&]() -> Result<std::shared_ptr<OpenStore>> {
        if (!is_it) return std::shared_ptr<OpenStore>();
        return add(file, *std::move(store));
      });
      if (is_it && added.has_value()) return added;
      open_.erase(file);
      if (added.has_error()) return added.error();
      if (opened.has_error()) return opened.error();
    }
  }

 private:
  /// Closes a store before its entry goes.
  struct Entry {
    Registry& registry;
    FileKey file;
    std::unique_ptr<OpenStore> store{};

    ~Entry() {
      if (store == nullptr) return;
      store.reset();
      const std::lock_guard guard(registry.mutex_);
      registry.open_.erase(file);
      registry.changed_.notify_all();
    }
  };

  /// Requires the mutex. The entry gets the store last: its end waits for the mutex.
  std::shared_ptr<OpenStore> add(FileKey file, std::unique_ptr<OpenStore> store) {
    const std::shared_ptr<Entry> entry(new Entry{*this, file});
    std::shared_ptr<OpenStore> shared(entry, store.get());
    open_[file] = shared;
    entry->store = std::move(store);
    return shared;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<FileKey, std::weak_ptr<OpenStore>> open_;
  std::set<std::filesystem::path> opening_;
};

std::string identity_check(const StoreIdentity& identity) {
  std::string all;
  for (const std::string_view part :
       {std::string_view(identity.scheme), std::string_view(identity.fingerprint),
        std::string_view(identity.languages)}) {
    append_counted(all, part);
  }
  all += identity.store_text ? kYes : kNo;
  if (identity.store_file) append_counted(all, format::kFilesEntry);
  std::string check;
  append_u32(check, crc32c(all));
  return check;
}

Result<void> write_identity(lmdb::WriteTxn& txn, const Tables& tables, const StoreIdentity& identity) {
  AKIN_CHECK(txn.put(tables.meta, format::kFormatEntry, encode_format()));
  AKIN_CHECK(txn.put(tables.meta, format::kSchemeEntry, identity.scheme));
  AKIN_CHECK(txn.put(tables.meta, format::kFingerprintEntry, identity.fingerprint));
  AKIN_CHECK(txn.put(tables.meta, format::kLanguagesEntry, identity.languages));
  AKIN_CHECK(txn.put(tables.meta, format::kTextsEntry, identity.store_text ? kYes : kNo));
  if (identity.store_file) AKIN_CHECK(txn.put(tables.meta, format::kFilesEntry, kYes));
  AKIN_CHECK(txn.put(tables.meta, format::kIdentityEntry, identity_check(identity)));
  AKIN_CHECK(txn.put(tables.meta, format::kChangeLogEntry, kLogOff));
  AKIN_CHECK(write_posting_state(txn, tables, {}));
  Counters counters;
  if (identity.store_file) counters.files.emplace();
  return txn.put(tables.meta, format::kCountersEntry, encode_counters(counters));
}

Result<std::string_view> read_entry(const lmdb::Txn& txn, const Tables& tables, std::string_view entry) {
  AKIN_TRY(const std::optional<std::string_view> value, txn.get(tables.meta, entry));
  if (!value) return corrupt("meta '" + std::string(entry) + "'", "the entry is missing");
  return *value;
}

Result<bool> read_store_text(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(const std::string_view value, read_entry(txn, tables, format::kTextsEntry));
  if (value == kYes || value == kNo) return value == kYes;
  return corrupt("meta 'store_text'", "it is neither yes nor no");
}

Result<bool> read_store_file(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(const std::optional<std::string_view> value, txn.get(tables.meta, format::kFilesEntry));
  if (!value || *value == kYes) return value.has_value();
  return corrupt("meta 'store_file'", "it is not yes");
}

Result<std::unique_ptr<OpenStore>> open_anew(const std::filesystem::path& folder,
                                             const LmdbStoreOptions& options) {
  if (!options.open_quarantined) AKIN_CHECK(check_quarantine(folder));
  AKIN_CHECK(check_format(folder));
  lmdb::Options recorded = options.lmdb;
  recorded.crash_record = crash_record_path(folder);
  AKIN_TRY(lmdb::Env env, lmdb::Env::open(folder, table_specs(), recorded, false));
  const Tables tables = tables_of(env);
  std::unique_ptr<OpenStore> store(
      new OpenStore{folder, std::move(env), tables, {}, options.merge_step_bytes, options.merge_patience});
  AKIN_TRY(const lmdb::ReadTxn txn, store->env.read());
  AKIN_TRY(const std::string_view stamp, read_entry(txn, tables, format::kFormatEntry));
  AKIN_CHECK(check_format(stamp, folder));
  store->tables.small_run_postings = options.small_run_postings;
  AKIN_TRY(store->identity.scheme, read_entry(txn, store->tables, format::kSchemeEntry));
  AKIN_TRY(store->identity.fingerprint, read_entry(txn, store->tables, format::kFingerprintEntry));
  AKIN_TRY(store->identity.languages, read_entry(txn, store->tables, format::kLanguagesEntry));
  AKIN_TRY(store->identity.store_text, read_store_text(txn, store->tables));
  AKIN_TRY(store->identity.store_file, read_store_file(txn, store->tables));
  AKIN_TRY(const std::string_view check, read_entry(txn, store->tables, format::kIdentityEntry));
  if (check != identity_check(store->identity)) {
    return corrupt(folder.string() + ", table 'meta'",
                   "scheme, fingerprint, languages, store_text and store_file do not have their checksum");
  }
  return store;
}

}  // namespace

Result<std::shared_ptr<OpenStore>> make_store(const std::filesystem::path& folder,
                                              const StoreIdentity& identity,
                                              const LmdbStoreOptions& options) {
  {
    struct stat file = {};
    if (stat((folder / "data.mdb").c_str(), &file) == 0) {
      return Error{Errc::already_exists, folder.string(), "this folder already contains an index", ""};
    }
    AKIN_TRY(lmdb::Env env, lmdb::Env::open(folder, table_specs(), options.lmdb, true));
    const Tables tables = tables_of(env);
    AKIN_CHECK(env.write([&](lmdb::WriteTxn& txn) { return write_identity(txn, tables, identity); }));
    AKIN_CHECK(replace_file(folder / format::kMergeLock, ""));
  }
  return share_store(folder, options);
}

Result<std::shared_ptr<OpenStore>> share_store(const std::filesystem::path& folder,
                                               const LmdbStoreOptions& options) {
  return Registry::instance().find_or(folder, [&] { return open_anew(folder, options); });
}

bool is_replaced(const OpenStore& store) {
  const Result<FileKey> named = file_key(store.folder);
  const Result<FileKey> opened = store.env.file_id();
  return named.has_error() ? named.error().code == Errc::not_found : opened.has_value() && *named != *opened;
}

}  // namespace akin
