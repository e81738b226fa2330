#include "index/pg/posting_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/pg/binary.h"
#include "index/pg/segments.h"

namespace akin::pg {

CursorRows::CursorRows(Connection& connection, std::string select, int at_once)
    : connection_(connection),
      select_(std::move(select)),
      name_(connection.unique_name()),
      fetch_("FETCH " + std::to_string(at_once) + " FROM " + name_) {}

CursorRows::~CursorRows() {
  // In a failed transaction it is closed already.
  if (declared_) static_cast<void>(connection_.command("CLOSE " + name_));
}

Result<bool> CursorRows::next() {
  if (!declared_) {
    AKIN_CHECK(connection_.command("DECLARE " + name_ + " NO SCROLL CURSOR FOR " + select_));
    declared_ = true;
  }
  if (page_ && page_->size() == 0) return false;
  if (page_ && ++row_ < page_->size()) return true;
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
  [[nodiscard]] bool has_place() const noexcept { return has_place_; }
  [[nodiscard]] const Place& place() const noexcept { return place_; }
  /// next(), remembered.
  Result<void> advance() {
    AKIN_TRY(has_place_, next());
    return {};
  }

 protected:
  Place place_{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min()};

 private:
  bool has_place_ = true;
};

namespace {

class RowSource final : public PostingRows::Source {
 public:
  RowSource(Connection& connection, std::string select) : rows_(connection, std::move(select), 20'000) {}

  Result<bool> next() override {
    AKIN_TRY(const bool there, rows_.next());
    if (there) place_ = {rows_.page().number(rows_.row(), 0), rows_.page().number(rows_.row(), 1)};
    return there;
  }

 private:
  CursorRows rows_;
};

/// The packed postings of one level, bucket by bucket, from all shards.
class LevelSource final : public PostingRows::Source {
 public:
  LevelSource(Connection& connection, const PostingTables& tables, int level, std::int64_t from)
      : from_(from) {
    for (std::size_t part = 0; part < std::max<std::size_t>(tables.parts, 1); ++part) {
      const std::string table =
          tables.parts == 0 ? "akin.packed_postings_@" : "akin.packed_postings_@_" + std::to_string(part);
      parts_.push_back(std::make_unique<CursorRows>(
          connection,
          of_store("SELECT bucket, keys, docs FROM " + table +
                       " WHERE bucket >= " + std::to_string(bucket_of(from, level)) + " AND bucket < " +
                       std::to_string(first_bucket(level + 1)) + " ORDER BY bucket",
                   tables.store),
          100));
    }
    there_.resize(parts_.size());
  }

  Result<bool> next() override {
    while (at_ == bucket_.size()) {
      AKIN_TRY(const bool there, read_bucket());
      if (!there) return false;
    }
    place_ = bucket_[at_++];
    return true;
  }

 private:
  /// False after the last bucket. A bucket may be empty.
  Result<bool> read_bucket() {
    if (!begun_) {
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        AKIN_TRY(const bool there, parts_[part]->next());
        there_[part] = there;
      }
      begun_ = true;
    }
    std::optional<std::int64_t> first;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      if (there_[part]) first = std::min(first.value_or(bucket_at(part)), bucket_at(part));
    }
    bucket_.clear();
    at_ = 0;
    if (!first) return false;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      while (there_[part] && bucket_at(part) == *first) {
        AKIN_CHECK(take(*parts_[part]));
        AKIN_TRY(const bool there, parts_[part]->next());
        there_[part] = there;
      }
    }
    std::ranges::sort(bucket_);
    return true;
  }

  [[nodiscard]] std::int64_t bucket_at(std::size_t part) const {
    return parts_[part]->page().number(parts_[part]->row(), 0);
  }

  Result<void> take(const CursorRows& rows) {
    keys_.clear();
    documents_.clear();
    AKIN_CHECK(read_array(rows.page().bytes(rows.row(), 1), keys_));
    AKIN_CHECK(read_array(rows.page().bytes(rows.row(), 2), documents_));
    if (keys_.size() != documents_.size()) {
      return Error{Errc::corrupt, "postings", "a packed row does not have as many keys as documents", ""};
    }
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] >= from_) bucket_.push_back({keys_[i], documents_[i]});
    }
    return {};
  }

  std::int64_t from_;
  std::vector<std::unique_ptr<CursorRows>> parts_;
  std::vector<bool> there_;
  bool begun_ = false;
  std::vector<Place> bucket_;
  std::size_t at_ = 0;
  std::vector<std::int64_t> keys_, documents_;
};

}  // namespace

PostingRows::PostingRows(Connection& connection, const PostingTables& tables, std::int64_t from) {
  sources_.push_back(std::make_unique<RowSource>(
      connection, of_store("SELECT key, doc FROM akin.postings_@ WHERE key >= '" + std::to_string(from) +
                               "'::bigint ORDER BY key, doc",
                           tables.store)));
  for (const int level : tables.levels)
    sources_.push_back(std::make_unique<LevelSource>(connection, tables, level, from));
}

PostingRows::~PostingRows() = default;

Result<bool> PostingRows::next() {
  const Source* least = nullptr;
  for (const auto& source : sources_) {
    // The current one advances; at the start all do.
    if (source->has_place() && source->place() <= place_) AKIN_CHECK(source->advance());
    if (source->has_place() && (least == nullptr || source->place() < least->place())) least = source.get();
  }
  if (least == nullptr) return false;
  place_ = least->place();
  return true;
}

}  // namespace akin::pg
