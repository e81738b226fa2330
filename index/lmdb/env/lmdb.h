// LMDB as owning values: an environment, its transactions and cursors. LMDB's C interface is called only by
// the sources that implement this header (lmdb.cpp, cursor.cpp, env.cpp, opening.cpp, env_copy.cpp,
// read_ahead.cpp) and by transaction_state.h, which also turn its codes into `Error`.
//
// Caveats that come from LMDB (https://www.symas.com/lmdb, lmdb.h):
// - Bytes that a transaction returns are views into the map. They become invalid when the transaction ends,
//   and in a WriteTxn at its next change. A Cursor must not outlive its transaction.
// - A process must not open one environment twice (its file locks would vanish); open_store.cpp prevents
//   that. Never use an environment after fork().
// - An open ReadTxn keeps the pages it can see from being reused: the file grows while it lives.
// - A read-only file system does not work: readers register in the lock file.
// - Readers register with their process number, so processes of two PID namespaces exclude each other if
//   they have the same one. An error says so.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "index/lmdb/env/read_ahead.h"

struct MDB_txn;
struct MDB_cursor;

namespace akin::lmdb {

/// A table (LMDB: database) of an open environment.
struct Table {
  unsigned int handle = 0;
  std::string_view name;   ///< as in the specification
  std::uint32_t seed = 0;  ///< of checks, from the name
  /// Values end with a check (checked_value.h), which writing adds, and reading verifies and takes off: then
  /// every read may return corrupt, with table and key.
  bool checked = false;
};

struct TableSpec {
  std::string_view name;  ///< must outlive the environment
  bool checked = false;
};

struct Options {
  /// Least size of the map at the start: address space, not disk. A data file of more than an eighth of it
  /// gets eight times its size. Either is halved until the system grants it.
  std::size_t map_bytes = std::size_t{32} << 30;
  /// How long growing the map waits for the transactions of this process to end.
  std::chrono::milliseconds patience{10'000};
  /// How long a write waits for another process or thread to end its own.
  std::chrono::milliseconds write_patience{30'000};
  /// Pages that readers read before the process lets go of all that it has mapped, so that those of an index
  /// that it reads through do not count as its memory; the system keeps them as long as it has room. 0 = they
  /// stay until the system needs the room.
  std::uint64_t held_pages = 0;
  /// Every commit reaches the disk before it returns. If not, only Env::sync does that.
  bool durable = true;
  /// Permissions of a new data file; an existing one loses those that are not among them.
  mode_t mode = 0644;
  /// crash_record_path of the environment; null = its crashes are not recorded.
  const char* crash_record = nullptr;
};

class Cursor;
class ReadTxn;
class WriteTxn;
struct EnvState;

struct MapUse {
  std::uint64_t bytes = 0, used_bytes = 0;
};

/// The common part of read and write transactions.
class Txn {
 public:
  Txn(const Txn&) = delete;
  Txn& operator=(const Txn&) = delete;

  /// The value of a key. In a checked table, the entries on both sides of a missing key are verified:
  /// nothing between them was lost.
  [[nodiscard]] Result<std::optional<std::string_view>> get(Table table, std::string_view key) const;
  /// The size of a key's value, which is not verified; 0 if there is none.
  [[nodiscard]] Result<std::uint64_t> value_size(Table table, std::string_view key) const;
  /// Announces that values of these keys, which ascend, will be read: the system then reads the pages that
  /// are not in memory at once. Worth its microseconds a key only after reads have waited for the disk
  /// (disk_waits).
  void announce(Table table, std::span<const std::string> keys) const;
  /// While it lives, the system reads ahead, for a transaction that reads most of the environment. Must not
  /// outlive the transaction.
  [[nodiscard]] std::unique_ptr<Scan> scan() const;
  /// Number of keys.
  [[nodiscard]] Result<std::uint64_t> entries(Table table) const;
  /// The environment's map, and the part of it that has ever been used.
  [[nodiscard]] MapUse map_use() const;
  /// Another transaction that sees the same, for another thread: nothing if a commit came between, or there
  /// are too many readers. It must end before this one, which must be one that reads.
  [[nodiscard]] std::optional<ReadTxn> beside() const;
  /// The transaction must outlive the cursor.
  [[nodiscard]] Result<Cursor> cursor(Table table) const&;
  Result<Cursor> cursor(Table table) const&& = delete;

 protected:
  Txn(EnvState* env, MDB_txn* txn, bool writes) noexcept : env_(env), txn_(txn), writes_(writes) {}
  Txn(Txn&& other) noexcept;
  Txn& operator=(Txn&& other) noexcept;
  ~Txn();  ///< aborts

  EnvState* env_;
  MDB_txn* txn_;  ///< null when moved from or ended
  bool writes_;
};

/// A snapshot: it sees the environment as it was when the transaction began; it never blocks a writer, nor
/// does a writer block it. May move between threads, but only one thread may use it at a time.
class ReadTxn : public Txn {
 public:
  ReadTxn(ReadTxn&&) noexcept = default;
  ReadTxn& operator=(ReadTxn&&) noexcept = default;

 private:
  friend class Env;
  friend class Txn;
  ReadTxn(EnvState* env, MDB_txn* txn) noexcept : Txn(env, txn, false) {}
};

/// The one writer of an environment; lives only inside Env::write, on the thread that called it.
class WriteTxn : public Txn {
 public:
  WriteTxn(WriteTxn&&) = delete;
  WriteTxn& operator=(WriteTxn&&) = delete;

  [[nodiscard]] Result<void> put(Table table, std::string_view key, std::string_view value);
  /// The same for keys that ascend and sort after all others of the table: it fills the pages.
  [[nodiscard]] Result<void> append(Table table, std::string_view key, std::string_view value);
  /// Removes everything in a table.
  [[nodiscard]] Result<void> clear(Table table);
  /// Removes a key; returns whether it existed.
  [[nodiscard]] Result<bool> erase(Table table, std::string_view key);
  /// A cursor that can change the entry it points at.
  [[nodiscard]] Result<Cursor> write_cursor(Table table);

 private:
  friend class Env;
  friend class Cursor;
  WriteTxn(EnvState* env, MDB_txn* txn) noexcept : Txn(env, txn, true) {}
  [[nodiscard]] Result<void> put(Table table, std::string_view key, std::string_view value, unsigned flags);
  [[nodiscard]] Result<void> commit();
  [[nodiscard]] Error failure(int code, std::string_view doing);

  bool map_full_ = false;  ///< a call failed because the map was full
};

/// A place in a table. Moves return whether there is an entry there; key() and value() are then set.
///
/// Moves check that keys ascend. In a checked table they verify the entry, and in a read transaction also the
/// page when they come to another one (is_sound_leaf), so that no entry is lost. A damaged entry is an error;
/// the cursor is then on it, and may move on.
class Cursor {
 public:
  [[nodiscard]] std::string_view key() const noexcept { return key_; }
  [[nodiscard]] std::string_view value() const noexcept { return value_; }

  [[nodiscard]] Result<bool> first();
  [[nodiscard]] Result<bool> last();
  [[nodiscard]] Result<bool> next();      ///< from a fresh cursor the first one
  [[nodiscard]] Result<bool> previous();  ///< from a fresh cursor the last one
  [[nodiscard]] Result<bool> seek(std::string_view key);
  /// In a checked table this verifies the entry before as well.
  [[nodiscard]] Result<bool> seek_at_least(std::string_view key);
  /// The last entry whose key is `key` or less.
  [[nodiscard]] Result<bool> seek_at_most(std::string_view key);
  /// The same without verifying that entry, for which its value would have to be read.
  [[nodiscard]] Result<bool> seek_gap(std::string_view key);
  /// Verifies the entry to which seek_gap came, and takes the check off its value.
  [[nodiscard]] Result<void> verify_entry();
  /// The value, without its check, of an entry to which seek_gap came earlier: `key` and `value` are what
  /// the cursor had there, and nothing was written since.
  [[nodiscard]] Result<std::string_view> verified(std::string_view key, std::string_view value);
  /// Hints that the entry to which seek_gap came will be verified soon.
  void expect_value() const noexcept;
  /// The key of the entry after the one to which seek_gap or seek_at_most came, if that has a smaller key
  /// than the one sought, or if there is none: unverified; empty at the end.
  [[nodiscard]] std::string_view key_after() const noexcept { return key_after_; }
  /// Moves to that entry.
  [[nodiscard]] Result<bool> to_key_after();
  /// Whether the last move has failed because the entry to which it came is damaged.
  [[nodiscard]] bool is_on_damaged_entry() const noexcept { return on_damaged_entry_; }

  /// Removes the current entry. Only for write cursors.
  [[nodiscard]] Result<void> erase();

 private:
  friend class Txn;
  friend class WriteTxn;
  Cursor(EnvState* env, MDB_cursor* cursor, const Table& table, bool in_map, WriteTxn* writer) noexcept
      : env_(env), cursor_(cursor), table_(table), in_map_(in_map), writer_(writer) {}
  /// Moves and verifies.
  [[nodiscard]] Result<bool> move(int operation);
  /// Moves without looking at the entry.
  [[nodiscard]] Result<bool> step(int operation);
  void count_pages() noexcept;
  [[nodiscard]] Result<void> verify_page(std::string_view key);
  /// Verifies that nothing was lost between the current entry (if `there`) and the one with key_after().
  [[nodiscard]] Result<void> verify_gap(bool there);
  [[nodiscard]] Error damaged(std::string_view key, std::string_view broken) const;
  [[nodiscard]] Error failure(int code, std::string_view doing) const;

  struct Close {
    void operator()(MDB_cursor* cursor) const noexcept;
  };

  EnvState* env_;
  std::unique_ptr<MDB_cursor, Close> cursor_;
  Table table_;
  bool in_map_;       ///< a read transaction's: all pages are in the map
  WriteTxn* writer_;  ///< null in a read-only cursor
  std::string_view key_, value_, key_after_;
  bool in_table_ = false;  ///< key_ is that of an entry
  bool on_damaged_entry_ = false;
  const char* map_ = nullptr;      ///< where the map begins, once it is needed
  const char* sound_ = nullptr;    ///< the page that was verified last
  const char* counted_ = nullptr;  ///< the page that was counted last
  ReadAhead ahead_;
};

/// An open environment: a folder with data.mdb and lock.mdb. Threads and processes may share it. Close
/// (destroy) it only when its transactions have ended.
///
/// The map grows automatically: before a write when it is more than half used and no transaction of this
/// process is open, and when a write finds it full. Then the write is undone, new transactions of this
/// process wait, the open ones are given `Options::patience` to end, and the write is repeated. A reader that
/// stays open longer makes the write fail as busy; nothing is written, and other transactions continue.
class Env {
 public:
  Env(Env&&) noexcept;
  Env& operator=(Env&&) noexcept;
  ~Env();

  /// Opens the environment in `folder` and its tables; with `create`, makes the tables that are missing (and
  /// the files). Without `create`, errors: not_found (no such file), corrupt (not an environment, or a table
  /// is missing).
  [[nodiscard]] static Result<Env> open(const std::filesystem::path& folder,
                                        const std::vector<TableSpec>& tables, const Options& options,
                                        bool create);

  /// The tables in the order in which they were passed to open().
  [[nodiscard]] const std::vector<Table>& tables() const noexcept;

  /// Errors: busy when there are too many readers, the map must grow and a transaction stays open too long,
  /// or a process of another PID namespace has the environment open and this one's number.
  [[nodiscard]] Result<ReadTxn> read() const;

  /// Runs `body` in a write transaction and commits it, durably; an error of `body` undoes everything and is
  /// returned. Writers of all processes queue. `body` may run several times, each time on a fresh
  /// transaction; it must not begin another transaction of this environment.
  [[nodiscard]] Result<void> write(const std::function<Result<void>(WriteTxn&)>& body);

  /// Syncs everything committed to the disk.
  [[nodiscard]] Result<void> sync();

  /// Passes the bytes of a data file to `take`, in order: one that holds what the environment holds now and
  /// no free pages. Writes continue meanwhile; as with any reader, the pages it sees are not reused. Errors:
  /// those of `take`, which end it; corrupt; io.
  [[nodiscard]] Result<void> copy(const ByteSink& take) const;

  /// Checks all pages of the newest state, without the map: LMDB ends the process at some damaged pages.
  /// Calls `report` for each finding, and returns their number. Requires that a transaction is open, so that
  /// neither the pages nor the map change meanwhile. Errors: io, corrupt.
  [[nodiscard]] Result<std::uint64_t> verify_pages(
      const std::function<void(std::string where, std::string broken)>& report) const;

  /// Bytes of the data file.
  [[nodiscard]] Result<std::uint64_t> file_bytes() const;
  /// Its device and inode.
  [[nodiscard]] Result<std::pair<dev_t, ino_t>> file_id() const;

  [[nodiscard]] std::size_t map_bytes() const;

 private:
  explicit Env(std::unique_ptr<EnvState> state) noexcept;
  std::unique_ptr<EnvState> state_;
};

}  // namespace akin::lmdb
