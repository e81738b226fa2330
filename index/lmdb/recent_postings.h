// The table of recent postings. Earlier versions put those of single documents there until a merge packed
// them into a run; the next merge packs what is left. Feature u64 → sorted values (document u32, count u32,
// since format 4 a check u32 over feature, document and count), all big-endian.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "index/lmdb/lmdb.h"
#include "index/posting_cursor.h"

namespace akin {

/// Whether a stored value of a checked table has its check, given its feature's key.
[[nodiscard]] bool is_sound_recent_posting(std::string_view key, std::string_view value) noexcept;

/// Reads the lists of one table in a transaction.
class RecentCursor {
 public:
  [[nodiscard]] static Result<RecentCursor> open(const lmdb::Txn& txn, lmdb::Table table);

  /// Moves to a feature's list; returns the number of its postings, 0 if there is none.
  [[nodiscard]] Result<std::uint64_t> seek(Feature feature);
  /// Moves to the first list whose feature is at least `from`; false if there is none.
  [[nodiscard]] Result<bool> seek_at_least(Feature from);
  /// Moves to the next list; false after the last one.
  [[nodiscard]] Result<bool> next();
  /// The current list's feature.
  [[nodiscard]] Feature feature() const noexcept { return feature_; }
  /// Appends the current list's postings, documents ascending. Error: corrupt.
  [[nodiscard]] Result<void> read(std::vector<DocNumber>& documents, std::vector<std::uint32_t>& counts);
  /// The count of a feature in a document, 0 if it is not listed.
  [[nodiscard]] Result<std::uint32_t> count(Feature feature, DocNumber document);

 private:
  RecentCursor(lmdb::Cursor cursor, bool checked) noexcept
      : cursor_(std::move(cursor)), value_bytes_(checked ? 12 : 8) {}
  [[nodiscard]] Result<void> take_key();
  [[nodiscard]] Result<void> verify_value(std::string_view key, std::string_view value) const;
  [[nodiscard]] Error damaged(std::string_view broken) const;

  lmdb::Cursor cursor_;
  std::size_t value_bytes_;
  Feature feature_{};
};

static_assert(FeatureCursor<RecentCursor>);

}  // namespace akin
