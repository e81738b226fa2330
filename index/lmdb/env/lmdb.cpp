#include "index/lmdb/env/lmdb.h"

#include <bit>
#include <cassert>
#include <cstring>

#include "base/bytes.h"
#include "index/lmdb/env/transaction_state.h"

namespace akin::lmdb {

Txn::Txn(Txn&& other) noexcept
    : env_(other.env_), txn_(std::exchange(other.txn_, nullptr)), writes_(other.writes_) {}

Txn& Txn::operator=(Txn&& other) noexcept {
  std::swap(env_, other.env_);
  std::swap(txn_, other.txn_);
  std::swap(writes_, other.writes_);
  return *this;
}

Txn::~Txn() {
  if (txn_ == nullptr) return;
  mdb_txn_abort(txn_);
  note_end(*env_);
  env_->gate.leave();
}

Result<std::optional<std::string_view>> Txn::get(Table table, std::string_view key) const {
  // An empty or over-long key is in no table; LMDB would call it a bad size.
  if (key.empty() || key.size() > static_cast<std::size_t>(mdb_env_get_maxkeysize(env_->env))) {
    return std::optional<std::string_view>();
  }
  MDB_val k = to_val(key);
  MDB_val v{};
  note_use(*env_);
  const int code = mdb_get(txn_, table.handle, &k, &v);
  if (code != MDB_SUCCESS && code != MDB_NOTFOUND) return lmdb_error(code, *env_, "read");
  if (code == MDB_NOTFOUND) {
    if (table.checked) {
      AKIN_TRY(Cursor place, cursor(table));
      AKIN_TRY(const bool there, place.seek_at_least(key));
      // A damaged branch leads to the leaf before.
      if (there && place.key() == key) return damaged_entry(*env_, table, key, "it is in the wrong place");
    }
    return std::optional<std::string_view>();
  }
  if (!writes_) count_read(*env_, txn_, 1 + v.mv_size / env_->page_bytes);
  if (!table.checked) return std::optional(to_view(v));
  if (!writes_ && !is_inside_pages(to_view(v), env_->page_bytes))
    return damaged_entry(*env_, table, key, kNoCheck);
  if (!writes_) announce_value(to_view(v));
  const std::optional<std::string_view> value = take_check(table, key, to_view(v), env_->known);
  if (!value) return damaged_entry(*env_, table, key, kNoCheck);
  return value;
}

Result<std::uint64_t> Txn::value_size(Table table, std::string_view key) const {
  MDB_val k = to_val(key);
  MDB_val v{};
  note_use(*env_);
  const int code = mdb_get(txn_, table.handle, &k, &v);
  if (code != MDB_SUCCESS && code != MDB_NOTFOUND) return lmdb_error(code, *env_, "read");
  const std::uint64_t check = table.checked ? kCheckBytes : 0;
  return code == MDB_SUCCESS && v.mv_size >= check ? v.mv_size - check : std::uint64_t{0};
}

void Txn::announce(Table table, std::span<const std::string> keys) const {
  if (!writes_) announce_keys(txn_, table, keys, env_->page_bytes);
}

std::unique_ptr<Scan> Txn::scan() const { return std::make_unique<Scan>(*env_, txn_); }

Result<std::uint64_t> Txn::entries(Table table) const {
  MDB_stat stat{};
  const int code = mdb_stat(txn_, table.handle, &stat);
  if (code != MDB_SUCCESS) return lmdb_error(code, *env_, "read");
  return std::uint64_t{stat.ms_entries};
}

MapUse Txn::map_use() const {
  MDB_envinfo info{};
  MDB_stat stat{};
  mdb_env_info(env_->env, &info);
  mdb_env_stat(env_->env, &stat);
  return {info.me_mapsize, (std::uint64_t{info.me_last_pgno} + 1) * stat.ms_psize};
}

std::optional<ReadTxn> Txn::beside() const {
  env_->gate.enter_beside();
  MDB_txn* txn = nullptr;
  if (mdb_txn_begin(env_->env, nullptr, MDB_RDONLY, &txn) == MDB_SUCCESS) {
    note_use(*env_);
    ReadTxn beside(env_, txn);
    if (mdb_txn_id(txn) == mdb_txn_id(txn_)) return beside;
    return {};
  }
  env_->gate.leave();
  return {};
}

Result<Cursor> Txn::cursor(Table table) const& {
  MDB_cursor* cursor = nullptr;
  const int code = mdb_cursor_open(txn_, table.handle, &cursor);
  if (code != MDB_SUCCESS) return lmdb_error(code, *env_, "read");
  return Cursor(env_, cursor, table, !writes_, nullptr);
}

Error WriteTxn::failure(int code, std::string_view doing) {
  if (code == MDB_MAP_FULL) map_full_ = true;
  return lmdb_error(code, *env_, doing);
}

Result<void> WriteTxn::put(Table table, std::string_view key, std::string_view value, unsigned flags) {
  MDB_val k = to_val(key);
  MDB_val v = to_val(value);
  note_use(*env_);
  if (!table.checked) {
    int code = mdb_put(txn_, table.handle, &k, &v, flags);
    if (code == MDB_KEYEXIST) code = mdb_put(txn_, table.handle, &k, &v, 0);
    return code == MDB_SUCCESS ? Result<void>() : Result<void>(failure(code, "write"));
  }
  std::string check;
  append_u32(check, check_of(table, key, value));
  v.mv_size += kCheckBytes;
  int code = mdb_put(txn_, table.handle, &k, &v, flags | MDB_RESERVE);
  if (code == MDB_KEYEXIST) code = mdb_put(txn_, table.handle, &k, &v, MDB_RESERVE);
  if (code != MDB_SUCCESS) return failure(code, "write");
  char* const place = static_cast<char*>(v.mv_data);
  if (!value.empty()) std::memcpy(place, value.data(), value.size());
  std::memcpy(place + value.size(), check.data(), kCheckBytes);
  return {};
}

Result<void> WriteTxn::put(Table table, std::string_view key, std::string_view value) {
  return put(table, key, value, 0);
}

Result<void> WriteTxn::append(Table table, std::string_view key, std::string_view value) {
  return put(table, key, value, MDB_APPEND);
}

Result<void> WriteTxn::clear(Table table) {
  const int code = mdb_drop(txn_, table.handle, 0);
  if (code != MDB_SUCCESS) return failure(code, "delete");
  return {};
}

Result<bool> WriteTxn::erase(Table table, std::string_view key) {
  MDB_val k = to_val(key);
  const int code = mdb_del(txn_, table.handle, &k, nullptr);
  if (code == MDB_NOTFOUND) return false;
  if (code != MDB_SUCCESS) return failure(code, "delete");
  return true;
}

Result<Cursor> WriteTxn::write_cursor(Table table) {
  MDB_cursor* cursor = nullptr;
  const int code = mdb_cursor_open(txn_, table.handle, &cursor);
  if (code != MDB_SUCCESS) return failure(code, "write");
  return Cursor(env_, cursor, table, false, this);
}

Result<void> WriteTxn::commit() {
  note_use(*env_);
  const int code = mdb_txn_commit(std::exchange(txn_, nullptr));
  note_end(*env_);
  env_->gate.leave();
  if (code != MDB_SUCCESS) return failure(code, "commit");
  return {};
}

}  // namespace akin::lmdb
