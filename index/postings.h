// Posting lists in LMDB: feature → (document number, count), one sorted value a posting. Whoever reads them
// goes through PostingCursor; how they are stored is known in this file's .cpp alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/lmdb.h"
#include "index/posting_cursor.h"
#include "index/tables.h"
#include "morph/scheme.h"

namespace akin {

struct Posting {
  Feature feature{};
  DocNumber document{};
  std::uint32_t count = 0;
  friend auto operator<=>(const Posting&, const Posting&) = default;
};

/// One cursor for one list after another; views the transaction's pages. Satisfies PostingCursor.
class LmdbPostingCursor {
 public:
  [[nodiscard]] static Result<LmdbPostingCursor> make(const lmdb::Txn& txn, const Tables& tables);

  /// Moves to the first posting of a feature's list; doc() == kEnd if there is none. Features may be opened
  /// in any order, ascending is fastest.
  void open(Feature feature);

  [[nodiscard]] DocNumber doc() const noexcept { return document_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  void next();
  void next_geq(DocNumber document);
  [[nodiscard]] Result<void> status() const;

 private:
  explicit LmdbPostingCursor(lmdb::Cursor cursor) noexcept : cursor_(std::move(cursor)) {}
  void fail(Error error);
  void end() noexcept { document_ = kEnd; }
  void load_page();
  void take(std::size_t at);

  lmdb::Cursor cursor_;
  Feature feature_{};
  std::string_view page_;  ///< postings of this list on the present page
  std::size_t at_ = 0;     ///< byte offset of the present posting in page_
  DocNumber document_ = kEnd;
  std::uint32_t count_ = 0;
  std::optional<Error> error_;
};

static_assert(PostingCursor<LmdbPostingCursor>);

/// What a change of postings did to the counters.
struct PostingChange {
  std::int64_t postings = 0;
  std::int64_t lists = 0;
};

/// Takes `removed` out and puts `added` in; both sorted, without repeats. A posting to be removed goes
/// whatever count it is stored with, and may be missing: so a damaged document can be removed. Error: corrupt
/// when one to be added is there.
[[nodiscard]] Result<PostingChange> change_postings(lmdb::WriteTxn& txn, const Tables& tables,
                                                    std::span<const Posting> removed,
                                                    std::span<const Posting> added);

/// Walks over all postings, features ascending, documents ascending within one. `visit` gets each posting;
/// `damaged` gets what breaks the format (and the walk goes on behind it).
[[nodiscard]] Result<void> for_each_posting(
    const lmdb::Txn& txn, const Tables& tables, const std::function<void(const Posting&)>& visit,
    const std::function<void(std::string where, std::string broken)>& damaged);

/// "feature 00f3a1…", 16 hex digits.
[[nodiscard]] std::string name_of(Feature feature);

}  // namespace akin
