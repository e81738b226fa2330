// What the server keeps beside the collections: small things, each a JSON value under a key.
#pragma once

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
};
inline constexpr std::size_t kTables = 11;

struct Entry {
  std::string key;
  std::string value;
};

/// Two names as one key: they sort by the first, then by the second. Neither may hold a zero byte.
[[nodiscard]] std::string pair_key(std::string_view first, std::string_view second);

/// Changes that take effect together; it sees its own. Lives inside State::write.
class Writer {
 public:
  virtual ~Writer() = default;
  [[nodiscard]] virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  /// Errors: invalid_argument for an empty key or one of more than 511 bytes.
  [[nodiscard]] virtual Result<void> put(Table table, std::string_view key, std::string_view value) = 0;
  /// Whether it was there.
  [[nodiscard]] virtual Result<bool> erase(Table table, std::string_view key) = 0;
};

/// An LMDB environment in DATA/state, shared by processes. Open it once in a process. Members may be called
/// from any number of threads.
class State {
 public:
  /// Opens it, and makes what is missing. Errors: io, disk_full, corrupt.
  [[nodiscard]] static Result<std::shared_ptr<State>> open(const std::filesystem::path& data);
  virtual ~State() = default;

  [[nodiscard]] virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  /// Entries with keys over `after` that begin with `prefix`, in the order of the keys' bytes, `limit` at
  /// most.
  [[nodiscard]] virtual Result<std::vector<Entry>> list(Table table, std::string_view prefix,
                                                        std::string_view after, std::size_t limit) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> count(Table table) const = 0;

  /// The bytes of a data file with what it holds now (lmdb::Env::copy): BackupRequest::copy_state.
  [[nodiscard]] virtual Result<void> copy(
      const std::function<Result<void>(std::string_view)>& take) const = 0;

  /// Runs `body`; what it changes is durable when this returns, all of it or, after an error, nothing. `body`
  /// may run several times, and must not call this object.
  [[nodiscard]] virtual Result<void> write(const std::function<Result<void>(Writer&)>& body) = 0;

  /// write() of one entry.
  [[nodiscard]] Result<void> put(Table table, std::string_view key, std::string_view value);
  [[nodiscard]] Result<bool> erase(Table table, std::string_view key);
};

}  // namespace akin::state
