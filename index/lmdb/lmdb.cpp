#include "index/lmdb/lmdb.h"

#include <cassert>

#include "index/lmdb/transaction_state.h"

namespace akin::lmdb {

namespace {

MDB_val to_val(std::string_view bytes) noexcept {
  // LMDB's interface has no const; it does not write through these.
  return {bytes.size(), const_cast<char*>(bytes.data())};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::string_view to_view(const MDB_val& value) noexcept {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

}  // namespace

Txn::Txn(Txn&& other) noexcept : env_(other.env_), txn_(std::exchange(other.txn_, nullptr)) {}

Txn& Txn::operator=(Txn&& other) noexcept {
  std::swap(env_, other.env_);
  std::swap(txn_, other.txn_);
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
  if (code == MDB_NOTFOUND) return std::optional<std::string_view>();
  if (code != MDB_SUCCESS) return lmdb_error(code, *env_, "read");
  return std::optional(to_view(v));
}

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

Result<Cursor> Txn::cursor(Table table) const& {
  MDB_cursor* cursor = nullptr;
  const int code = mdb_cursor_open(txn_, table.handle, &cursor);
  if (code != MDB_SUCCESS) return lmdb_error(code, *env_, "read");
  return Cursor(env_, cursor, nullptr);
}

Error WriteTxn::failure(int code, std::string_view doing) {
  if (code == MDB_MAP_FULL) map_full_ = true;
  return lmdb_error(code, *env_, doing);
}

Result<void> WriteTxn::put(Table table, std::string_view key, std::string_view value) {
  MDB_val k = to_val(key);
  MDB_val v = to_val(value);
  note_use(*env_);
  const int code = mdb_put(txn_, table.handle, &k, &v, 0);
  if (code != MDB_SUCCESS) return failure(code, "write");
  return {};
}

Result<void> WriteTxn::append(Table table, std::string_view key, std::string_view value) {
  MDB_val k = to_val(key);
  MDB_val v = to_val(value);
  note_use(*env_);
  int code = mdb_put(txn_, table.handle, &k, &v, MDB_APPEND);
  if (code == MDB_KEYEXIST) code = mdb_put(txn_, table.handle, &k, &v, 0);
  if (code != MDB_SUCCESS) return failure(code, "write");
  return {};
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
  return Cursor(env_, cursor, this);
}

Result<void> WriteTxn::commit() {
  note_use(*env_);
  const int code = mdb_txn_commit(std::exchange(txn_, nullptr));
  note_end(*env_);
  env_->gate.leave();
  if (code != MDB_SUCCESS) return failure(code, "commit");
  return {};
}

Cursor::Cursor(Cursor&& other) noexcept
    : env_(other.env_),
      cursor_(std::exchange(other.cursor_, nullptr)),
      writer_(other.writer_),
      key_(other.key_),
      value_(other.value_) {}

Cursor& Cursor::operator=(Cursor&& other) noexcept {
  std::swap(env_, other.env_);
  std::swap(cursor_, other.cursor_);
  std::swap(writer_, other.writer_);
  std::swap(key_, other.key_);
  std::swap(value_, other.value_);
  return *this;
}

Cursor::~Cursor() {
  if (cursor_ != nullptr) mdb_cursor_close(cursor_);
}

Error Cursor::failure(int code, std::string_view doing) const {
  return writer_ != nullptr ? writer_->failure(code, doing) : lmdb_error(code, *env_, doing);
}

Result<bool> Cursor::move(int operation, std::string_view doing) {
  MDB_val k = to_val(key_);
  MDB_val v = to_val(value_);
  note_use(*env_);
  const int code = mdb_cursor_get(cursor_, &k, &v, static_cast<MDB_cursor_op>(operation));
  if (code == MDB_NOTFOUND) return false;
  if (code != MDB_SUCCESS) return failure(code, doing);
  key_ = to_view(k);
  value_ = to_view(v);
  return true;
}

Result<bool> Cursor::move_to_pair(int operation, std::string_view key, std::string_view value) {
  key_ = key;
  value_ = value;
  Result<bool> there = move(operation, "read");
  key_ = {};  // LMDB leaves the caller's bytes in place
  return there;
}

Result<bool> Cursor::first() { return move(MDB_FIRST, "read"); }

Result<bool> Cursor::last() { return move(MDB_LAST, "read"); }

Result<bool> Cursor::next() { return move(MDB_NEXT, "read"); }

Result<bool> Cursor::previous() { return move(MDB_PREV, "read"); }

Result<bool> Cursor::seek(std::string_view key) {
  if (key.empty()) return false;
  key_ = key;
  return move(MDB_SET_KEY, "read");
}

Result<bool> Cursor::seek_at_least(std::string_view key) {
  if (key.empty()) return first();
  key_ = key;
  return move(MDB_SET_RANGE, "read");
}

Result<bool> Cursor::seek_value_at_least(std::string_view key, std::string_view value) {
  return move_to_pair(MDB_GET_BOTH_RANGE, key, value);
}

Result<void> Cursor::values_of_page() {
  // If the key has one value, LMDB does not change value_.
  AKIN_TRY(const bool there, move(MDB_GET_MULTIPLE, "read"));
  assert(there);
  static_cast<void>(there);
  return {};
}

Result<bool> Cursor::values_of_next_page() { return move(MDB_NEXT_MULTIPLE, "read"); }

Result<bool> Cursor::next_key() { return move(MDB_NEXT_NODUP, "read"); }

Result<std::uint64_t> Cursor::values() const {
  std::size_t count = 0;
  const int code = mdb_cursor_count(cursor_, &count);
  if (code != MDB_SUCCESS) return failure(code, "read");
  return std::uint64_t{count};
}

Result<bool> Cursor::insert_value(std::string_view key, std::string_view value) {
  MDB_val k = to_val(key);
  MDB_val v = to_val(value);
  const int code = mdb_cursor_put(cursor_, &k, &v, MDB_NODUPDATA);
  if (code == MDB_KEYEXIST) return false;
  if (code != MDB_SUCCESS) return failure(code, "write");
  return true;
}

Result<void> Cursor::erase() {
  const int code = mdb_cursor_del(cursor_, 0);
  if (code != MDB_SUCCESS) return failure(code, "delete");
  return {};
}

}  // namespace akin::lmdb
