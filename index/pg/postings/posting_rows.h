// All postings of a store in order, by cursors: only a few are in memory at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/pg/client/look_ups.h"
#include "index/pg/postings/packed_rows.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// Before all postings.
inline constexpr StoredPosting kNone{std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::int64_t>::min(), 0};

/// The tables to read, as of a transaction.
struct PostingTables {
  /// The connection of `look_ups` must outlive the result.
  [[nodiscard]] static Result<PostingTables> open(LookUps& look_ups, StoreNumber store);

  StoreNumber store{};
  Connection* connection = nullptr;
  std::vector<int> levels;  ///< of packed postings (packing.h)
};

/// The rows of a statement, read by a cursor in a connection's transaction.
class CursorRows {
 public:
  /// `at_once`: rows fetched together.
  CursorRows(Connection& connection, std::string select, int at_once);
  CursorRows(const CursorRows&) = delete;
  CursorRows& operator=(const CursorRows&) = delete;
  ~CursorRows();

  /// False after the last row.
  [[nodiscard]] Result<bool> next();
  /// The current row: its page, and its number there.
  [[nodiscard]] const Rows& page() const noexcept { return *page_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }

 private:
  Connection& connection_;
  std::string select_, name_, fetch_;
  bool declared_ = false;
  std::optional<Rows> page_;
  std::size_t row_ = 0;
};

/// Postings in the order of (key, document), each once.
class PostingRows {
 public:
  /// Starts at a key.
  PostingRows(const PostingTables& tables, std::int64_t from);
  ~PostingRows();
  PostingRows(const PostingRows&) = delete;
  PostingRows& operator=(const PostingRows&) = delete;

  /// False after the last one. Error also: corrupt.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] const StoredPosting& posting() const noexcept { return posting_; }

  class Source;

 private:
  std::vector<std::unique_ptr<Source>> sources_;
  StoredPosting posting_ = kNone;
};

}  // namespace akin::pg
