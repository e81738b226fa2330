#include "index/pg/postings/posting_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/pg/postings/packing.h"
#include "index/pg/postings/segments.h"

namespace akin::pg {

Result<PostingTables> PostingTables::open(LookUps& look_ups, StoreNumber store) {
  AKIN_TRY(const Rows rows, look_ups.run(of_store(kLevelSizes, store)));
  PostingTables tables{store, &look_ups.connection(), {}};
  for (const auto& [level, size] : level_sizes_of(rows)) {
    if (!are_blocks(level)) tables.levels.push_back(level);
  }
  return tables;
}

CursorRows::CursorRows(Connection& connection, std::string select, int at_once)
    : connection_(connection),
      select_(std::move(select)),
      name_(connection_.unique_name()),
      fetch_("FETCH " + std::to_string(at_once) + " FROM " + name_) {}

CursorRows::~CursorRows() {
  // In a failed transaction it is closed already.
  if (declared_) static_cast<void>(connection_.command("CLOSE " + name_));
}

Result<bool> CursorRows::next() {
  if (page_ && page_->size() == 0) return false;
  if (page_ && ++row_ < page_->size()) return true;
  if (!declared_) {
    AKIN_CHECK(connection_.command("DECLARE " + name_ + " NO SCROLL CURSOR FOR " + select_));
    declared_ = true;
  }
  AKIN_TRY(Rows page, connection_.run_once(fetch_));
  page_ = std::move(page);
  row_ = 0;
  return page_->size() > 0;
}

/// Postings of one kind, ascending.
class PostingRows::Source {
 public:
  virtual ~Source() = default;
  /// False after the last one.
  virtual Result<bool> next() = 0;
  [[nodiscard]] bool has_posting() const noexcept { return has_posting_; }
  [[nodiscard]] const StoredPosting& posting() const noexcept { return posting_; }
  /// next(), remembered.
  Result<void> advance() {
    AKIN_TRY(has_posting_, next());
    return {};
  }

 protected:
  StoredPosting posting_ = kNone;

 private:
  bool has_posting_ = true;
};

namespace {

class RowSource final : public PostingRows::Source {
 public:
  RowSource(Connection& connection, std::string select) : rows_(connection, std::move(select), 20'000) {}

  Result<bool> next() override {
    AKIN_TRY(const bool there, rows_.next());
    if (there) {
      const Rows& page = rows_.page();
      const std::size_t row = rows_.row();
      posting_ = {page.number(row, 0), page.number(row, 1), static_cast<std::uint32_t>(page.number(row, 2))};
    }
    return there;
  }

 private:
  CursorRows rows_;
};

/// Packed rows or blocks, group by group.
class PackedSource : public PostingRows::Source {
 public:
  /// `select`: the group, which is a bucket or a key, and the bytes, in the order of the groups.
  PackedSource(const PostingTables& tables, const std::string& select)
      : rows_(*tables.connection, of_store(select, tables.store), 100) {}

  Result<bool> next() override {
    while (at_ == group_.size()) {
      AKIN_TRY(const bool there, read_group());
      if (!there) return false;
    }
    posting_ = group_[at_++];
    return true;
  }

 private:
  /// Appends a row's postings.
  virtual Result<void> take(std::int64_t group, std::string_view bytes, std::vector<StoredPosting>& out) = 0;

  /// False after the last group. A group may be empty.
  Result<bool> read_group() {
    if (!begun_) {
      AKIN_TRY(there_, rows_.next());
      begun_ = true;
    }
    group_.clear();
    at_ = 0;
    if (!there_) return false;
    const std::int64_t group = group_here();
    while (there_ && group_here() == group) {
      AKIN_CHECK(take(group, rows_.page().bytes(rows_.row(), 1), group_));
      AKIN_TRY(there_, rows_.next());
    }
    std::ranges::sort(group_);
    return true;
  }

  [[nodiscard]] std::int64_t group_here() const { return rows_.page().number(rows_.row(), 0); }

  CursorRows rows_;
  bool begun_ = false, there_ = false;
  std::vector<StoredPosting> group_;
  std::size_t at_ = 0;
};

class LevelSource final : public PackedSource {
 public:
  LevelSource(const PostingTables& tables, int level, std::int64_t from)
      : PackedSource(tables, "SELECT bucket, body FROM akin.packed_postings_@ WHERE bucket >= " +
                                 std::to_string(first_bucket_from(from, level)) + " AND bucket < " +
                                 std::to_string(first_bucket(level + 1)) + " ORDER BY bucket"),
        from_(from) {}

 private:
  Result<void> take(std::int64_t group, std::string_view bytes, std::vector<StoredPosting>& out) override {
    const bool is_sound = for_each_in_row(bytes, group, [&](auto key, auto document, auto count) {
      if (key >= from_) out.push_back({key, document, count});
    });
    return is_sound ? Result<void>() : damaged_postings("bucket", group);
  }

  std::int64_t from_;
};

class BlockSource final : public PackedSource {
 public:
  BlockSource(const PostingTables& tables, std::int64_t from)
      : PackedSource(tables, "SELECT key, body FROM akin.frequent_postings_@ WHERE key >= '" +
                                 std::to_string(from) + "'::bigint ORDER BY key") {}

 private:
  Result<void> take(std::int64_t group, std::string_view bytes, std::vector<StoredPosting>& out) override {
    const bool is_sound = for_each_in_block(bytes, group, [&](auto document, auto count) {
      out.push_back({group, document, count});
    });
    return is_sound ? Result<void>() : damaged_postings("block of key", group);
  }
};

}  // namespace

PostingRows::PostingRows(const PostingTables& tables, std::int64_t from) {
  sources_.push_back(std::make_unique<RowSource>(
      *tables.connection, of_store("SELECT key, doc, n FROM akin.postings_@ WHERE key >= '" +
                                       std::to_string(from) + "'::bigint ORDER BY key, doc",
                                   tables.store)));
  sources_.push_back(std::make_unique<BlockSource>(tables, from));
  for (const int level : tables.levels)
    sources_.push_back(std::make_unique<LevelSource>(tables, level, from));
}

PostingRows::~PostingRows() = default;

Result<bool> PostingRows::next() {
  const Source* least = nullptr;
  for (const auto& source : sources_) {
    // The current one advances; at the start all do.
    if (source->has_posting() && source->posting() <= posting_) AKIN_CHECK(source->advance());
    if (source->has_posting() && (least == nullptr || source->posting() < least->posting()))
      least = source.get();
  }
  if (least == nullptr) return false;
  posting_ = least->posting();
  return true;
}

}  // namespace akin::pg
