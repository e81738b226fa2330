#include "index/pg/postings/compaction.h"

#include <algorithm>
#include <bit>
#include <string>

#include "index/pg/postings/segments.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {
namespace {

/// Fewer postings than this remain as they are.
constexpr std::uint64_t kWorthCompaction = 20'000;
/// When a level is rewritten.
struct Ripeness {
  std::int64_t rows = 0;     ///< it has so many in each bucket, on average
  std::uint64_t growth = 0;  ///< or at most so many times the postings of all smaller ones
};
constexpr Ripeness kRipe{8, 1}, kSettled{2, 4};
/// Postings that are rewritten in a transaction.
constexpr std::uint64_t kPostingsOfSlice = 2'000'000;

bool has_rows(int level, const LevelSize& size, std::int64_t rows) noexcept {
  return size.rows >> static_cast<unsigned>(bits_of_level(level)) >= rows;
}

/// A condition in SQL.
std::string between(const std::string& column, const KeyRange& range) {
  return column + " BETWEEN '" + std::to_string(range.first) + "'::bigint AND '" +
         std::to_string(range.last) + "'::bigint";
}

/// Adds what is to do in a band to the plan.
void plan_band(int band, const PostingSizes& sizes, const Ripeness& ripe, CompactionPlan& plan) {
  std::uint64_t postings = sizes.rows[static_cast<std::size_t>(band)];
  std::uint64_t all = postings;
  int least = kMostBits;
  for (const auto& [level, size] : sizes.levels) {
    if (band_of_level(level) != band) continue;
    const auto own = static_cast<std::uint64_t>(size.postings);
    all += own;
    if (are_blocks(level)) continue;
    if (!plan.everything && !has_rows(level, size, ripe.rows) && own > ripe.growth * postings) continue;
    least = std::min(least, bits_of_level(level));
    postings += own;
    plan.merged.push_back(level);
  }
  const std::uint64_t rewritten = plan.everything ? all : postings;
  if (rewritten == 0) return;
  plan.postings += rewritten;
  plan.levels[static_cast<std::size_t>(band)] = level_of(band, bits_for(postings));
  const auto wanted = static_cast<int>(std::bit_width(rewritten / kPostingsOfSlice));
  const std::vector<KeyRange> parts = parts_of_band(band, std::min({wanted, least, bits_for(postings)}));
  plan.slices.insert(plan.slices.end(), parts.begin(), parts.end());
}

/// Reads a slice's postings and writes them packed, inside a transaction.
class SliceRewrite {
 public:
  /// Rewrites within one store without the postings of `documents`, or, from one store to another, only
  /// theirs.
  SliceRewrite(Connection& connection, const SliceCopy& stores, const CompactionPlan& plan,
               const DocumentSet& documents)
      : connection_(connection),
        stores_(stores),
        in_place_(stores.from == stores.to),
        plan_(plan),
        documents_(documents) {}

  Result<void> run(const KeyRange& slice) {
    slice_ = slice;
    AKIN_CHECK(take_rows());
    for (const int level : plan_.merged) {
      if (band_of_level(level) == band_of(slice.first)) AKIN_CHECK(take_level(level));
    }
    AKIN_CHECK(take_blocks());
    sort_postings(postings_);
    AKIN_TRY(const LevelSizes written, copy_packed(connection_, stores_.to, postings_, plan_.levels));
    for (const auto& [level, size] : written) {
      sizes_[level].postings += size.postings;
      sizes_[level].rows += size.rows;
    }
    return add_to_sizes(connection_, stores_.to, sizes_);
  }

 private:
  void add(std::int64_t key, std::int64_t document, std::uint32_t count) {
    if (documents_.contains(document) != in_place_) postings_.push_back({key, document, count});
  }

  /// Visits the rows of a table in the slice, which it deletes if they are rewritten within the store.
  template <class Visit>
  Result<void> take(const std::string& columns, const std::string& table, const std::string& condition,
                    const Visit& visit) {
    const std::string from = " FROM akin." + table + " WHERE " + condition;
    const std::string sql =
        in_place_ ? "DELETE" + from + " RETURNING " + columns : "SELECT " + columns + from;
    AKIN_TRY(const Rows rows, connection_.run_once(of_store(sql, stores_.from)));
    for (std::size_t row = 0; row < rows.size(); ++row) AKIN_CHECK(visit(rows, row));
    return {};
  }

  Result<void> take_rows() {
    return take("key, doc, n", "postings_@", between("key", slice_),
                [this](const Rows& rows, std::size_t row) -> Result<void> {
                  add(rows.number(row, 0), rows.number(row, 1),
                      static_cast<std::uint32_t>(rows.number(row, 2)));
                  return {};
                });
  }

  Result<void> take_level(int level) {
    LevelSize taken;
    AKIN_CHECK(take("bucket, body", "packed_postings_@",
                    between("bucket", {bucket_of(slice_.first, level), bucket_of(slice_.last, level)}),
                    [&](const Rows& rows, std::size_t row) -> Result<void> {
                      const std::int64_t bucket = rows.number(row, 0);
                      ++taken.rows;
                      const bool is_sound = for_each_in_row(rows.bytes(row, 1), bucket,
                                                            [&](auto key, auto document, auto count) {
                                                              ++taken.postings;
                                                              add(key, document, count);
                                                            });
                      return is_sound ? Result<void>() : damaged_postings("bucket", bucket);
                    }));
    account_for(level, taken);
    return {};
  }

  /// Full blocks remain, unless everything is rewritten.
  Result<void> take_blocks() {
    LevelSize taken;
    AKIN_CHECK(take(
        "key, body", "frequent_postings_@",
        between("key", slice_) + (plan_.everything ? "" : " AND n < " + std::to_string(kBlockPostings)),
        [&](const Rows& rows, std::size_t row) -> Result<void> {
          const std::int64_t key = rows.number(row, 0);
          ++taken.rows;
          const bool is_sound = for_each_in_block(rows.bytes(row, 1), key, [&](auto document, auto count) {
            ++taken.postings;
            add(key, document, count);
          });
          return is_sound ? Result<void>() : damaged_postings("block of key", key);
        }));
    account_for(blocks_of(band_of(slice_.first)), taken);
    return {};
  }

  /// Subtracts rows that have been deleted.
  void account_for(int level, const LevelSize& taken) {
    if (!in_place_) return;
    sizes_[level].postings -= taken.postings;
    sizes_[level].rows -= taken.rows;
  }

  Connection& connection_;
  const SliceCopy stores_;
  const bool in_place_;
  const CompactionPlan& plan_;
  const DocumentSet& documents_;
  KeyRange slice_;
  std::vector<StoredPosting> postings_;
  LevelSizes sizes_;  ///< changes of those of `to`
};

constexpr const char* kBytes =
    "SELECT (pg_total_relation_size('akin.documents_@') + pg_total_relation_size('akin.tombstones_@')"
    " + pg_total_relation_size('akin.contents_@') + pg_total_relation_size('akin.postings_@')"
    " + pg_total_relation_size('akin.packed_postings_@') + pg_total_relation_size('akin.frequent_postings_@')"
    " + pg_total_relation_size('akin.posting_sizes_@'))::bigint";

}  // namespace

Result<PostingSizes> read_posting_sizes(Connection& connection, StoreNumber store) {
  std::string select = "SELECT";
  for (int band = 0; band < kBands; ++band) {
    select += std::string(band == 0 ? "" : ",") + " count(*) FILTER (WHERE " +
              between("key", parts_of_band(band, 0).front()) + ")";
  }
  AKIN_TRY(const Rows rows, connection.run(of_store(select + " FROM akin.postings_@", store)));
  PostingSizes sizes;
  for (std::size_t band = 0; band < sizes.rows.size(); ++band)
    sizes.rows[band] = static_cast<std::uint64_t>(rows.number(0, static_cast<int>(band)));
  AKIN_TRY(sizes.levels, read_level_sizes(connection, store));
  return sizes;
}

CompactionPlan plan_compaction(const PostingSizes& sizes, Extent extent) {
  CompactionPlan plan;
  plan.everything = extent == Extent::everything;
  for (int band = 0; band < kBands; ++band)
    plan_band(band, sizes, extent == Extent::ripe ? kRipe : kSettled, plan);
  if (!plan.everything && plan.postings < kWorthCompaction) return {};
  return plan;
}

std::uint64_t unsettled_postings(const PostingSizes& sizes) {
  return plan_compaction(sizes, Extent::settled).postings;
}

std::uint64_t rows_of_lookup(const PostingSizes& sizes) {
  std::array<std::uint64_t, kBands> rows{};
  for (const auto& [level, size] : sizes.levels) {
    if (are_blocks(level)) continue;
    const std::uint64_t buckets = std::uint64_t{1} << static_cast<unsigned>(bits_of_level(level));
    rows[static_cast<std::size_t>(band_of_level(level))] +=
        (static_cast<std::uint64_t>(size.rows) + buckets - 1) / buckets;
  }
  return *std::ranges::max_element(rows);
}

Result<void> compact_slice(Connection& connection, StoreNumber store, const CompactionPlan& plan,
                           const KeyRange& slice, const DocumentSet& dropped) {
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(SliceRewrite(connection, {store, store}, plan, dropped).run(slice));
  return commit(connection);
}

Result<void> copy_slice(Connection& connection, const SliceCopy& stores, const CompactionPlan& plan,
                        const KeyRange& slice, const DocumentSet& kept) {
  return SliceRewrite(connection, stores, plan, kept).run(slice);
}

Result<void> add_content_stats(Connection& connection, StoreNumber store, StoreStats& stats) {
  AKIN_TRY(const Rows bytes, connection.run(of_store(kBytes, store)));
  AKIN_TRY(const PostingSizes sizes, read_posting_sizes(connection, store));
  stats.disk_bytes = static_cast<std::uint64_t>(bytes.number(0, 0));
  stats.runs = rows_of_lookup(sizes);
  stats.recent_postings = unsettled_postings(sizes);
  return {};
}

}  // namespace akin::pg
