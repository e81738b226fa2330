#include <lmdb.h>

#include <algorithm>

#include "base/bytes.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/transaction_state.h"

namespace akin::lmdb {

const char* begin_of_map(MDB_txn* txn, std::size_t page_bytes) noexcept {
  constexpr MDB_dbi kTableOfTables = 1;
  MDB_cursor* cursor = nullptr;
  if (mdb_cursor_open(txn, kTableOfTables, &cursor) != MDB_SUCCESS) return nullptr;
  MDB_val key{};
  MDB_val value{};
  const int code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
  mdb_cursor_close(cursor);
  if (code != MDB_SUCCESS) return nullptr;
  const char* const page = page_of(static_cast<const char*>(key.mv_data), page_bytes);
  return page - load_u64(page) * page_bytes;
}

Error damaged_entry(const EnvState& env, const Table& table, std::string_view key, std::string_view broken) {
  return Error{Errc::corrupt, env.folder.string() + ", " + name_of_entry(table, key), std::string(broken),
               "run `akin verify`; restore a backup, or index the texts again"};
}

void Cursor::Close::operator()(MDB_cursor* cursor) const noexcept { mdb_cursor_close(cursor); }

Error Cursor::failure(int code, std::string_view doing) const {
  return writer_ != nullptr ? writer_->failure(code, doing) : lmdb_error(code, *env_, doing);
}

Error Cursor::damaged(std::string_view key, std::string_view broken) const {
  return damaged_entry(*env_, table_, key, broken);
}

Result<bool> Cursor::step(int operation) {
  MDB_val k = to_val(key_);
  MDB_val v = to_val(value_);
  note_use(*env_);
  const int code = mdb_cursor_get(cursor_.get(), &k, &v, static_cast<MDB_cursor_op>(operation));
  on_damaged_entry_ = false;
  if (code == MDB_NOTFOUND) return false;
  if (code != MDB_SUCCESS) return failure(code, "read");
  key_ = to_view(k);
  value_ = to_view(v);
  count_pages();
  return true;
}

void Cursor::count_pages() noexcept {
  if (!in_map_ || env_->options.held_pages == 0) return;
  const char* const page = page_of(key_.data(), env_->page_bytes);
  const bool has_own_pages = page_of(value_.data(), env_->page_bytes) != page;
  if (page == counted_ && !has_own_pages) return;
  counted_ = page;
  const std::size_t of_value = has_own_pages ? 1 + value_.size() / env_->page_bytes : 0;
  count_read(*env_, mdb_cursor_txn(cursor_.get()), 1 + of_value);
}

Result<bool> Cursor::move(int operation) {
  // In a write transaction the key may be in a page that has changed since.
  const std::string_view before = in_map_ && in_table_ ? key_ : std::string_view();
  AKIN_TRY(in_table_, step(operation));
  if (!in_table_) return false;
  const bool ascends = operation == MDB_NEXT;
  if (ascends && in_map_) ahead_.moved_to(key_.data(), env_->page_bytes);
  const bool descends = operation == MDB_PREV;
  if (!before.empty() && ((ascends && key_ <= before) || (descends && key_ >= before))) {
    on_damaged_entry_ = true;
    return damaged(key_, "keys do not ascend");
  }
  AKIN_CHECK(verify_page(key_));
  AKIN_CHECK(verify_entry());
  return true;
}

Result<std::string_view> Cursor::verified(std::string_view key, std::string_view value) {
  if (!table_.checked) return value;
  const bool is_inside = !in_map_ || is_inside_pages(value, env_->page_bytes);
  if (in_map_ && is_inside) announce_value(value);
  const std::optional<std::string_view> sound =
      is_inside ? take_check(table_, key, value, env_->known) : std::nullopt;
  if (sound) return *sound;
  on_damaged_entry_ = true;
  return damaged(key, kNoCheck);
}

Result<void> Cursor::verify_entry() {
  AKIN_TRY(value_, verified(key_, value_));
  return {};
}

void Cursor::expect_value() const noexcept {
  if (!in_map_ || value_.empty()) return;
  constexpr std::size_t kLine = 64, kLines = 4;
  for (std::size_t at = 0; at < std::min(kLines * kLine, value_.size()); at += kLine)
    __builtin_prefetch(value_.data() + at);
  __builtin_prefetch(value_.data() + value_.size() - 1);
  env_->known.expect(value_.data());
}

Result<void> Cursor::verify_page(std::string_view key) {
  if (!table_.checked || !in_map_ || key.empty()) return {};
  const char* const page = page_of(key.data(), env_->page_bytes);
  if (page == sound_) return {};
  if (map_ == nullptr) map_ = begin_of_map(mdb_cursor_txn(cursor_.get()), env_->page_bytes);
  if (!is_sound_leaf(page, map_, env_->page_bytes)) {
    on_damaged_entry_ = true;
    return damaged(key, "the page with this entry is damaged");
  }
  sound_ = page;
  return {};
}

Result<void> Cursor::verify_gap(bool there) {
  if (!table_.checked || !in_map_) return {};
  const char* const before = there ? page_of(key_.data(), env_->page_bytes) : nullptr;
  const char* const after = key_after_.empty() ? nullptr : page_of(key_after_.data(), env_->page_bytes);
  if (before == after && before != nullptr) return {};
  if (before == nullptr && after == nullptr) {
    MDB_stat stat{};
    const int code = mdb_stat(mdb_cursor_txn(cursor_.get()), table_.handle, &stat);
    if (code != MDB_SUCCESS) return failure(code, "read");
    return stat.ms_entries == 0 ? Result<void>() : Result<void>(damaged({}, "the table's entries are gone"));
  }
  AKIN_CHECK(verify_page(key_after_));
  return there ? verify_page(key_) : Result<void>();
}

Result<bool> Cursor::seek_at_most(std::string_view key) {
  AKIN_TRY(const bool there, seek_gap(key));
  if (there) AKIN_CHECK(verify_entry());
  return there;
}

Result<bool> Cursor::seek_gap(std::string_view key) {
  key_ = key;
  key_after_ = {};
  AKIN_TRY(in_table_, step(MDB_SET_RANGE));
  if (in_table_ && key_ == key) return true;
  if (in_table_) {
    if (key_ < key) return damaged(key_, "it is in the wrong place");
    key_after_ = key_;
  }
  AKIN_TRY(in_table_, step(in_table_ ? MDB_PREV : MDB_LAST));
  if (in_table_ && key_ >= key) return damaged(key_, "it is in the wrong place");
  AKIN_CHECK(verify_gap(in_table_));
  return in_table_;
}

Result<bool> Cursor::seek_at_least(std::string_view key) {
  if (key.empty()) return first();
  if (!table_.checked) {
    key_ = key;
    AKIN_TRY(in_table_, step(MDB_SET_RANGE));
    return in_table_;
  }
  AKIN_TRY(const bool there, seek_at_most(key));
  return there && key_ == key ? Result<bool>(true) : to_key_after();
}

Result<bool> Cursor::to_key_after() {
  if (key_after_.empty()) return in_table_ = false;
  return in_table_ ? next() : first();
}

Result<bool> Cursor::first() {
  key_after_ = {};
  AKIN_TRY(const bool there, move(MDB_FIRST));
  if (!there) AKIN_CHECK(verify_gap(false));
  return there;
}

Result<bool> Cursor::last() { return move(MDB_LAST); }

Result<bool> Cursor::next() { return move(MDB_NEXT); }

Result<bool> Cursor::previous() { return move(MDB_PREV); }

Result<bool> Cursor::seek(std::string_view key) {
  if (key.empty()) return false;
  if (table_.checked) {
    AKIN_TRY(const bool there, seek_at_least(key));
    return there && key_ == key;
  }
  key_ = key;
  return step(MDB_SET_KEY);
}

Result<void> Cursor::erase() {
  const int code = mdb_cursor_del(cursor_.get(), 0);
  if (code != MDB_SUCCESS) return failure(code, "delete");
  return {};
}

}  // namespace akin::lmdb
