#include "index/lmdb/documents/change_log.h"

#include <algorithm>
#include <optional>

#include "index/codec/encoding.h"
#include "index/lmdb/env/format.h"

namespace akin {

namespace {

constexpr std::string_view kLogOn = "on";
constexpr std::size_t kKeyBytes = 8;

std::string key_of(std::uint64_t place) {
  std::string key;
  append_u64_big_endian(key, place);
  return key;
}

Result<std::uint64_t> place_of(std::string_view key) {
  if (key.size() != kKeyBytes) return corrupt("changes", "a key does not have 8 bytes");
  return load_u64_big_endian(key.data());
}

/// The place after all notes.
Result<std::uint64_t> end_of(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.changes));
  AKIN_TRY(const bool any, cursor.last());
  if (!any) return std::uint64_t{0};
  AKIN_TRY(const std::uint64_t last, place_of(cursor.key()));
  return last + 1;
}

}  // namespace

Result<bool> log_is_on(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(const std::optional<std::string_view> value, txn.get(tables.meta, format::kChangeLogEntry));
  if (value == kLogOn) return true;
  if (value == kLogOff) return false;
  return corrupt("meta 'change_log'", "the entry is neither on nor off");
}

Result<void> begin_log(lmdb::WriteTxn& txn, const Tables& tables) {
  AKIN_CHECK(txn.clear(tables.changes));
  return txn.put(tables.meta, format::kChangeLogEntry, kLogOn);
}

Result<void> end_log(lmdb::WriteTxn& txn, const Tables& tables) {
  AKIN_CHECK(txn.clear(tables.changes));
  return txn.put(tables.meta, format::kChangeLogEntry, kLogOff);
}

Result<void> note_changes(lmdb::WriteTxn& txn, const Tables& tables, const std::vector<std::string>& ids) {
  AKIN_TRY(std::uint64_t place, end_of(txn, tables));
  for (const std::string& id : ids) AKIN_CHECK(txn.append(tables.changes, key_of(place++), id));
  return {};
}

Result<NotedChanges> read_log(const lmdb::Txn& txn, const Tables& tables, std::uint64_t place,
                              std::size_t limit) {
  AKIN_TRY(const std::uint64_t end, end_of(txn, tables));
  NotedChanges noted;
  noted.place = place;
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.changes));
  AKIN_TRY(bool there, cursor.seek_at_least(key_of(place)));
  while (there && noted.ids.size() < limit) {
    AKIN_TRY(const std::uint64_t at, place_of(cursor.key()));
    noted.place = at + 1;
    noted.ids.emplace_back(cursor.value());
    AKIN_TRY(there, cursor.next());
  }
  noted.left = end - std::min(end, noted.place);
  std::sort(noted.ids.begin(), noted.ids.end());
  noted.ids.erase(std::unique(noted.ids.begin(), noted.ids.end()), noted.ids.end());
  return noted;
}

}  // namespace akin
