#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/files.h"
#include "base/folders.h"
#include "base/waiting.h"
#include "index/lmdb/env/lmdb.h"
#include "server/state/lease_key.h"
#include "server/state/state.h"

namespace akin::state {

namespace {

/// The tables' names on the disk, in the order of Table.
constexpr std::array<std::string_view, kTables> kNames = {
    "keys",         "tasks",     "policies",         "checks",
    "check_texts",  "watches",   "cursors",          "events",
    "gates",        "groups",    "group_members",    "task_results",
    "labels",       "models",    "answers",          "expiries",
    "removals",     "clock",     "decisions",        "persons",
    "sessions",     "audit",     "check_tasks",      "kept_bytes",
    "kept_sizes",   "kept_uses", "certificate_keys", "check_links",
    "restrictions", "standing",  "refusals"};

std::size_t index_of(Table table) { return static_cast<std::size_t>(table); }

class LmdbWriter final : public Writer {
 public:
  LmdbWriter(lmdb::WriteTxn& txn, const std::vector<lmdb::Table>& tables) : txn_(txn), tables_(tables) {}

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    AKIN_TRY(const auto value, txn_.get(tables_[index_of(table)], key));
    return value ? std::optional(std::string(*value)) : std::nullopt;
  }

  Result<bool> has_any(Table table, std::string_view prefix) const override {
    AKIN_TRY(lmdb::Cursor cursor, txn_.cursor(tables_[index_of(table)]));
    AKIN_TRY(const bool there, prefix.empty() ? cursor.first() : cursor.seek_at_least(prefix));
    return there && cursor.key().starts_with(prefix);
  }

  Result<void> put(Table table, std::string_view key, std::string_view value) override {
    AKIN_CHECK(check_key(key));
    return txn_.put(tables_[index_of(table)], key, value);
  }

  Result<bool> erase(Table table, std::string_view key) override {
    return txn_.erase(tables_[index_of(table)], key);
  }

 private:
  lmdb::WriteTxn& txn_;
  const std::vector<lmdb::Table>& tables_;
};

/// A lock on one byte of a file, whose offset identifies the name. The system releases it with the process.
class FileLease final : public Lease {
 public:
  explicit FileLease(FileHandle file) noexcept : file_(std::move(file)) {}
  Result<void> check() override { return {}; }

 private:
  FileHandle file_;
};

class LmdbState final : public State {
 public:
  LmdbState(lmdb::Env env, const std::filesystem::path& folder)
      : env_(std::move(env)), leases_(folder / "holds"), reserve_(folder / "reserve") {
    keep_reserve();
  }

  bool is_shared() const noexcept override { return false; }

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    AKIN_TRY(const auto value, txn.get(env_.tables()[index_of(table)], key));
    return value ? std::optional(std::string(*value)) : std::nullopt;
  }

  Result<std::vector<Entry>> list(Table table, std::string_view prefix, std::string_view after,
                                  std::size_t limit) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    AKIN_TRY(lmdb::Cursor cursor, txn.cursor(env_.tables()[index_of(table)]));
    const std::string_view from = std::max(prefix, after);
    AKIN_TRY(bool there, from.empty() ? cursor.first() : cursor.seek_at_least(from));
    std::vector<Entry> entries;
    while (there && entries.size() < limit && cursor.key().starts_with(prefix)) {
      if (cursor.key() > after) entries.push_back({std::string(cursor.key()), std::string(cursor.value())});
      AKIN_TRY(there, cursor.next());
    }
    return entries;
  }

  Result<std::vector<Entry>> list_back(Table table, std::string_view before,
                                       std::size_t limit) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    AKIN_TRY(lmdb::Cursor cursor, txn.cursor(env_.tables()[index_of(table)]));
    AKIN_TRY(bool there, before.empty() ? cursor.last() : cursor.seek_at_most(before));
    std::vector<Entry> entries;
    while (there && entries.size() < limit) {
      if (before.empty() || cursor.key() < before)
        entries.push_back({std::string(cursor.key()), std::string(cursor.value())});
      AKIN_TRY(there, cursor.previous());
    }
    return entries;
  }

  Result<std::uint64_t> count(Table table) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    return txn.entries(env_.tables()[index_of(table)]);
  }

  Result<void> copy(const std::function<Result<void>(std::string_view)>& take) const override {
    return env_.copy(take);
  }

  Result<void> write(const std::function<Result<void>(Writer&)>& body) override {
    Result<void> written = env_.write([&](lmdb::WriteTxn& txn) {
      LmdbWriter writer(txn, env_.tables());
      return body(writer);
    });
    if (!written.has_error()) keep_reserve();
    return written;
  }

  bool give_up_reserve() override { return ::unlink(reserve_.c_str()) == 0; }

  Result<void> erase_all(Table table, std::string_view prefix) override {
    constexpr std::size_t kAtOnce = 1000;
    for (;;) {
      AKIN_TRY(const auto entries, list(table, prefix, "", kAtOnce));
      if (entries.empty()) return {};
      const auto erased = write([&](Writer& writer) -> Result<void> {
        for (const Entry& entry : entries) AKIN_CHECK(writer.erase(table, entry.key));
        return {};
      });
      AKIN_CHECK(erased);
    }
  }

  Result<std::unique_ptr<Lease>> try_lease(std::string_view name) override {
    FileHandle file(::open(leases_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (file.get() < 0) return system_error(errno, leases_.string(), "make");
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(lease_key(name) >> 2U);
    lock.l_len = 1;
    if (fcntl(file.get(), F_OFD_SETLK, &lock) == 0)
      return std::unique_ptr<Lease>(std::make_unique<FileLease>(std::move(file)));
    if (errno == EAGAIN || errno == EACCES) return std::unique_ptr<Lease>();
    return system_error(errno, leases_.string(), "lock");
  }

  Result<std::unique_ptr<Lease>> lease(std::string_view name, std::chrono::milliseconds patience,
                                       std::string_view holder) override {
    Result<std::unique_ptr<Lease>> taken = std::unique_ptr<Lease>();
    const Waited waited = wait_for(patience, [&] {
      taken = try_lease(name);
      return taken.has_error() || *taken != nullptr;
    });
    if (waited == Waited::stopped) return stopped_work();
    if (waited == Waited::too_long) return held_by_another(holder);
    return taken;
  }

 private:
  /// A file of so many bytes is there for nothing else than to be removed. Without it everything works but
  /// removals on a full disk.
  void keep_reserve() const noexcept {
    constexpr off_t kReserve = off_t{1} << 20;
    if (::access(reserve_.c_str(), F_OK) == 0) return;
    const FileHandle file(::open(reserve_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (file.get() >= 0 && ::posix_fallocate(file.get(), 0, kReserve) != 0) ::unlink(reserve_.c_str());
  }

  lmdb::Env env_;
  std::filesystem::path leases_, reserve_;
};

}  // namespace

Result<std::shared_ptr<State>> State::open(const std::filesystem::path& data) {
  const std::filesystem::path folder = data / "state";
  AKIN_CHECK(make_folders(data));
  AKIN_CHECK(make_private_folder(folder));
  std::vector<lmdb::TableSpec> specs;
  specs.reserve(kNames.size());
  for (const std::string_view name : kNames) specs.push_back({name});
  lmdb::Options options;
  options.map_bytes = std::size_t{1} << 30;
  options.mode = 0600;  // it has the digests of keys and the secrets of webhooks
  AKIN_TRY(lmdb::Env env, lmdb::Env::open(folder, specs, options, true));
  AKIN_CHECK(sync_folder(folder));
  return std::shared_ptr<State>(std::make_shared<LmdbState>(std::move(env), folder));
}

}  // namespace akin::state
