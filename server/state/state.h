// What the server keeps beside the collections: small things, each a JSON value under a key.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::state {

/// Their numbers are in databases: new ones go to the end.
enum class Table : std::uint8_t {
  keys,           ///< access keys, by their id
  tasks,          ///< by their id
  policies,       ///< of submission checks, by their name
  checks,         ///< by their id
  check_texts,    ///< what was checked, compressed, by the check's id
  watches,        ///< by collection and name (pair_key)
  cursors,        ///< how far the watches of a collection have come, by collection
  events,         ///< what watches have found, by their id
  gates,          ///< what collections admit, by collection
  groups,         ///< duplicates that were admitted, by collection and group (pair_key)
  group_members,  ///< which group a document is in, by collection and a hash of its id
  // Of a database alone; beside an LMDB environment they are files.
  task_results,  ///< lines that tasks have found, by task, run and line
  labels,        ///< what experts say of pairs, by collection (evaluate/labels.h)
  models,        ///< that judge pairs, by name (judge/model.h)
};
inline constexpr std::size_t kTables = 14;

struct Entry {
  std::string key;
  std::string value;
};

/// Two names as one key: they sort by the first, then by the second. Neither may hold a zero byte.
[[nodiscard]] std::string pair_key(std::string_view first, std::string_view second);

/// Error: invalid_argument for an empty key or one of more than 511 bytes, LMDB's limit.
[[nodiscard]] Result<void> check_key(std::string_view key);

/// Changes that take effect together; it sees its own. Lives inside State::write.
class Writer {
 public:
  virtual ~Writer() = default;
  [[nodiscard]] virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  /// Error also: as check_key.
  [[nodiscard]] virtual Result<void> put(Table table, std::string_view key, std::string_view value) = 0;
  /// Whether it was there.
  [[nodiscard]] virtual Result<bool> erase(Table table, std::string_view key) = 0;
};

/// Leave to do what one at a time may do, of all that share the state. It ends with this object, and with its
/// process, however that ends. Used by one thread at a time.
class Lease {
 public:
  virtual ~Lease() = default;
  /// Whether it still holds. Error: busy (the connection that had it is gone, and another may have it).
  [[nodiscard]] virtual Result<void> check() = 0;
};

/// An LMDB environment in DATA/state, shared by processes, or a table of a database, shared by machines. Open
/// it once in a process. Members may be called from any number of threads.
class State {
 public:
  /// Opens DATA/state, and makes what is missing. Errors: io, disk_full, corrupt.
  [[nodiscard]] static Result<std::shared_ptr<State>> open(const std::filesystem::path& data);
  /// Opens the table akin.state of a database (pg::is_database), and makes what is missing. Errors of all
  /// members then also: those of pg::Connection. What reads is tried again when its connection turns out to
  /// be broken; a write whose connection breaks as it is committed may have happened or not.
  [[nodiscard]] static Result<std::shared_ptr<State>> open_database(const std::string& conninfo);
  virtual ~State() = default;

  /// Whether servers on several machines share it: what they do for one another must be in it.
  [[nodiscard]] virtual bool is_shared() const noexcept = 0;

  [[nodiscard]] virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  /// Entries with keys over `after` that begin with `prefix`, in the order of the keys' bytes, `limit` at
  /// most.
  [[nodiscard]] virtual Result<std::vector<Entry>> list(Table table, std::string_view prefix,
                                                        std::string_view after, std::size_t limit) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> count(Table table) const = 0;

  /// The bytes of a data file with what it holds now (lmdb::Env::copy): BackupRequest::copy_state. Error:
  /// unsupported (it is in a database).
  [[nodiscard]] virtual Result<void> copy(
      const std::function<Result<void>(std::string_view)>& take) const = 0;

  /// Runs `body`; what it changes is durable when this returns, all of it or, after an error, nothing. One
  /// body runs at a time, of all that share the state, and sees what those before it wrote. It may run
  /// several times, and must not call this object.
  [[nodiscard]] virtual Result<void> write(const std::function<Result<void>(Writer&)>& body) = 0;

  /// Takes the hold of this name; null if another has it.
  [[nodiscard]] virtual Result<std::unique_ptr<Lease>> try_lease(std::string_view name) = 0;
  /// Waits for it, `patience` at most. Error: busy, where `holder` says what has it ("an admission").
  [[nodiscard]] virtual Result<std::unique_ptr<Lease>> lease(std::string_view name,
                                                             std::chrono::milliseconds patience,
                                                             std::string_view holder) = 0;

  /// write() of one entry.
  [[nodiscard]] Result<void> put(Table table, std::string_view key, std::string_view value);
  [[nodiscard]] Result<bool> erase(Table table, std::string_view key);
  /// Erases all that begin with `prefix`; after an error some of them may be gone.
  [[nodiscard]] virtual Result<void> erase_all(Table table, std::string_view prefix) = 0;
};

}  // namespace akin::state
