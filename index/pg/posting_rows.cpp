#include "index/pg/posting_rows.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "index/pg/packing.h"
#include "index/pg/segments.h"

namespace akin::pg {

Result<PostingTables> PostingTables::open(Connection& own, const Parts& parts, StoreNumber store) {
  AKIN_TRY(ContentServers servers, ContentServers::open(own, parts));
  servers.fix();
  AKIN_TRY(const std::vector<Rows> answers,
           servers.ask([&](const std::string&) { return of_store(kLevelSizes, store); }, {}, ""));
  std::set<int> levels;
  for (const Rows& rows : answers) {
    for (const auto& [level, size] : level_sizes_of(rows)) {
      if (level != kBlocks) levels.insert(level);
    }
  }
  PostingTables tables;
  tables.store = store;
  tables.levels.assign(levels.begin(), levels.end());
  tables.servers = std::make_shared<ContentServers>(std::move(servers));
  AKIN_TRY(tables.places, tables.servers->places());
  return tables;
}

CursorRows::CursorRows(const ContentPlace& place, std::string select, int at_once)
    : connection_(*place.connection),
      place_(place.name),
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
  const Result<bool> there = next_here();
  if (!there.has_error()) return *there;
  const Error& error = there.error();
  return Error{error.code, place_ + error.what, error.reason, error.remedy};
}

/// Fetches further rows.
Result<bool> CursorRows::next_here() {
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
  RowSource(const ContentPlace& place, std::string select) : rows_(place, std::move(select), 20'000) {}

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

/// Packed rows or blocks, group by group, from all places.
class PackedSource : public PostingRows::Source {
 public:
  /// `select`: the group, which is a bucket or a key, and the bytes, of "@TABLE", in the order of the groups.
  PackedSource(const PostingTables& tables, const std::string& table, const std::string& select) {
    for (const ContentPlace& place : tables.places) {
      std::string sql = select;
      sql.replace(sql.find("@TABLE"), 6, "akin." + table + "_@" + place.suffix);
      parts_.push_back(std::make_unique<CursorRows>(place, of_store(sql, tables.store), 100));
    }
    there_.resize(parts_.size());
  }

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
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        AKIN_TRY(const bool there, parts_[part]->next());
        there_[part] = there;
      }
      begun_ = true;
    }
    std::optional<std::int64_t> first;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      if (there_[part]) first = std::min(first.value_or(group_at(part)), group_at(part));
    }
    group_.clear();
    at_ = 0;
    if (!first) return false;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      while (there_[part] && group_at(part) == *first) {
        AKIN_CHECK(take(*first, parts_[part]->page().bytes(parts_[part]->row(), 1), group_));
        AKIN_TRY(const bool there, parts_[part]->next());
        there_[part] = there;
      }
    }
    std::ranges::sort(group_);
    return true;
  }

  [[nodiscard]] std::int64_t group_at(std::size_t part) const {
    return parts_[part]->page().number(parts_[part]->row(), 0);
  }

  std::vector<std::unique_ptr<CursorRows>> parts_;
  std::vector<bool> there_;
  bool begun_ = false;
  std::vector<StoredPosting> group_;
  std::size_t at_ = 0;
};

class LevelSource final : public PackedSource {
 public:
  LevelSource(const PostingTables& tables, int level, std::int64_t from)
      : PackedSource(
            tables, "packed_postings",
            "SELECT bucket, body FROM @TABLE WHERE bucket >= " + std::to_string(bucket_of(from, level)) +
                " AND bucket < " + std::to_string(first_bucket(level + 1)) + " ORDER BY bucket"),
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
      : PackedSource(tables, "frequent_postings",
                     "SELECT key, body FROM @TABLE WHERE key >= '" + std::to_string(from) +
                         "'::bigint ORDER BY key") {}

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
  for (const ContentPlace& place : tables.places) {
    sources_.push_back(std::make_unique<RowSource>(
        place, of_store("SELECT key, doc, n FROM akin.postings_@" + place.suffix + " WHERE key >= '" +
                            std::to_string(from) + "'::bigint ORDER BY key, doc",
                        tables.store)));
  }
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
