// The server's data other than the collections: small things, each a JSON value under a key.
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

/// Databases store their numbers: new ones go to the end.
enum class Table : std::uint8_t {
  keys,              ///< access keys, by their id
  tasks,             ///< by their id
  policies,          ///< of submission checks, by their name
  checks,            ///< by their id
  check_texts,       ///< the checked texts, compressed, by the check's id
  watches,           ///< by collection and name (pair_key)
  cursors,           ///< how far the watches of a collection have come, by collection
  events,            ///< the matches of watches, by their id
  gates,             ///< the gates, by collection
  groups,            ///< admitted duplicates, by collection and group (pair_key)
  group_members,     ///< the group of each document, by collection and a hash of its id
  task_results,      ///< result lines of tasks, by task, run and line; only in a database
  labels,            ///< experts' labels of pairs, by collection (server/tables/labels.h)
  models,            ///< models that judge pairs, by name (server/judge/model.h)
  answers,           ///< answers to requests with an Idempotency-Key (api/idempotency.h)
  expiries,          ///< when which check expires (check/checks.h)
  removals,          ///< collections whose removal has begun, by name (run/collection_life.h)
  clock,             ///< what expiry goes by (clock_keys.h)
  decisions,         ///< what persons have decided of checks, by check and number (check/decision.h)
  persons,           ///< by their id (access/persons.h)
  sessions,          ///< of persons at the desk, by the digest of their token (access/sessions.h)
  audit,             ///< who did what, by number (audit/audit_log.h)
  check_tasks,       ///< checks that have been handed in and are not done, by their id (run/hand_ins.h)
  kept_bytes,        ///< files, texts and passages that checks keep, by their digest (check/kept_bytes.h)
  kept_sizes,        ///< their sizes, by their digest
  kept_uses,         ///< by their digest and the check that keeps them (pair_key)
  certificate_keys,  ///< by their id (check/certificate.h)
  check_links,       ///< links to reports and what authors stated there, by check (check/links.h)
  restrictions,      ///< collections whose texts are restricted, by name (access/restrictions.h)
  standing,          ///< checks that stand, by their id (check/standing.h)
  refusals,          ///< of gates, by collection and number (gate/refusals.h)
};
inline constexpr std::size_t kTables = 31;

struct Entry {
  std::string key;
  std::string value;
};

/// Joins two names into one key: keys sort by the first, then by the second. Neither may contain a zero byte.
[[nodiscard]] std::string pair_key(std::string_view first, std::string_view second);

/// Error: invalid_argument for an empty key or one of more than 511 bytes, LMDB's limit.
[[nodiscard]] Result<void> check_key(std::string_view key);

/// Changes that take effect together; reads see them already. Lives inside State::write.
class Writer {
 public:
  virtual ~Writer() = default;
  [[nodiscard]] virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  /// Whether there is an entry whose key begins with `prefix`.
  [[nodiscard]] virtual Result<bool> has_any(Table table, std::string_view prefix) const = 0;
  /// Errors also: as check_key.
  [[nodiscard]] virtual Result<void> put(Table table, std::string_view key, std::string_view value) = 0;
  /// Returns whether it existed.
  [[nodiscard]] virtual Result<bool> erase(Table table, std::string_view key) = 0;
};

/// Permission for something that only one of all that share the state may do at a time. It ends with this
/// object, and with its process, however that ends. Used by one thread at a time.
class Lease {
 public:
  virtual ~Lease() = default;
  /// Whether it is still held. Error: busy (the connection that held it is gone, and another may hold it).
  [[nodiscard]] virtual Result<void> check() = 0;
};

/// An LMDB environment in DATA/state, shared by processes, or a table of a database, shared by machines. Open
/// it once per process. Members may be called from any number of threads.
class State {
 public:
  /// Opens DATA/state, and creates what is missing. Errors: io, disk_full, corrupt.
  [[nodiscard]] static Result<std::shared_ptr<State>> open(const std::filesystem::path& data);
  /// Opens the table akin.state of a database (is_database), and creates what is missing. All members
  /// then also give the errors of pg::Connection. Reads are retried when their connection turns out to be
  /// broken; a write whose connection breaks during the commit may have happened or not.
  [[nodiscard]] static Result<std::shared_ptr<State>> open_database(const std::string& conninfo);
  virtual ~State() = default;

  /// Whether servers on several machines share it: what they do for one another must be stored in it.
  [[nodiscard]] virtual bool is_shared() const noexcept = 0;

  [[nodiscard]] virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  /// Up to `limit` entries with keys after `after` that begin with `prefix`, in the order of the keys' bytes.
  [[nodiscard]] virtual Result<std::vector<Entry>> list(Table table, std::string_view prefix,
                                                        std::string_view after, std::size_t limit) const = 0;
  /// Up to `limit` entries with keys before `before`, or of all if it is empty; the last key first.
  [[nodiscard]] virtual Result<std::vector<Entry>> list_back(Table table, std::string_view before,
                                                             std::size_t limit) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> count(Table table) const = 0;

  /// The bytes of a data file with the current content (lmdb::Env::copy): BackupRequest::copy_state. Error:
  /// unsupported (it is in a database).
  [[nodiscard]] virtual Result<void> copy(
      const std::function<Result<void>(std::string_view)>& take) const = 0;

  /// Runs `body`. Its changes are durable when this returns: all of them or, after an error, none. Of all
  /// that share the state, one body runs at a time, and sees what those before it wrote. It may run several
  /// times, and must not call this object.
  [[nodiscard]] virtual Result<void> write(const std::function<Result<void>(Writer&)>& body) = 0;

  /// Gives up the disk space that is kept for removals; false if there is none. The first write that finds
  /// room for it keeps it again.
  [[nodiscard]] virtual bool give_up_reserve() { return false; }

  /// Takes the lease with this name; null if another holder has it.
  [[nodiscard]] virtual Result<std::unique_ptr<Lease>> try_lease(std::string_view name) = 0;
  /// Waits for it, at most for `patience`. Error: busy, with `holder` naming who has it ("an admission").
  [[nodiscard]] virtual Result<std::unique_ptr<Lease>> lease(std::string_view name,
                                                             std::chrono::milliseconds patience,
                                                             std::string_view holder) = 0;

  /// write() of one entry.
  [[nodiscard]] Result<void> put(Table table, std::string_view key, std::string_view value);
  [[nodiscard]] Result<bool> erase(Table table, std::string_view key);
  /// Erases all entries whose keys begin with `prefix`; after an error some of them may be gone.
  [[nodiscard]] virtual Result<void> erase_all(Table table, std::string_view prefix) = 0;
};

/// Removes something, which takes room on the disk before it makes some: if the disk is full, once more in
/// the space that is kept for that. `state` may be null.
[[nodiscard]] Result<void> remove_for_room(State* state, const std::function<Result<void>()>& removal);

}  // namespace akin::state
