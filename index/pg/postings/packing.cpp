#include "index/pg/postings/packing.h"

#include <algorithm>
#include <string>
#include <vector>

#include "index/pg/client/copy_in.h"

namespace akin::pg {
namespace {

using Postings = std::span<const StoredPosting>;

/// One more than the largest number of a version.
const std::string kVersions = std::to_string(std::uint64_t{1} << kVersionBits);

/// The end of the run at `begin` of postings for which `of` returns the same.
template <class Of>
std::size_t end_of_run(Postings postings, std::size_t begin, const Of& of) {
  const auto first = of(postings[begin]);
  std::size_t end = begin + 1;
  while (end < postings.size() && of(postings[end]) == first) ++end;
  return end;
}

class Packing {
 public:
  Packing(Connection& connection, StoreNumber store, const BandLevels& levels)
      : connection_(connection), store_(store), levels_(levels) {}

  Result<LevelSizes> copy(Postings postings) {
    const auto bucket_of_posting = [this](const StoredPosting& one) { return bucket_of_key(one.key); };
    AKIN_TRY(CopyIn rows,
             CopyIn::begin(connection_, of_store("akin.packed_postings_@ (bucket, body)", store_)));
    for (std::size_t at = 0; at < postings.size();) {
      const std::size_t end = end_of_run(postings, at, bucket_of_posting);
      AKIN_CHECK(take_bucket(rows, postings.subspan(at, end - at)));
      at = end;
    }
    AKIN_CHECK(rows.finish());
    AKIN_CHECK(copy_blocks());
    std::erase_if(sizes_, [](const auto& entry) { return entry.second.rows == 0; });
    return sizes_;
  }

 private:
  [[nodiscard]] std::int64_t bucket_of_key(std::int64_t key) const noexcept {
    return bucket_of(key, levels_[static_cast<std::size_t>(band_of(key))]);
  }

  /// Writes a bucket's rows; postings of frequent keys are kept for blocks.
  Result<void> take_bucket(CopyIn& rows, Postings bucket) {
    const bool is_crowded = bucket.size() > kCrowdedBucket;
    row_.clear();
    for (std::size_t at = 0; at < bucket.size();) {
      const std::size_t end = end_of_run(bucket, at, [](const StoredPosting& one) { return one.key; });
      const Postings list = bucket.subspan(at, end - at);
      if (is_crowded || list.size() >= kFrequentDocuments) {
        lists_.push_back(list);
      } else {
        if (row_.size() + list.size() > kMostInRow) AKIN_CHECK(write_row(rows));
        row_.insert(row_.end(), list.begin(), list.end());
      }
      at = end;
    }
    return row_.empty() ? Result<void>() : write_row(rows);
  }

  Result<void> write_row(CopyIn& rows) {
    const std::int64_t bucket = bucket_of_key(row_.front().key);
    AKIN_CHECK(rows.row(2));
    rows.number(bucket);
    rows.bytes(encode_row(row_, bucket));
    LevelSize& size = sizes_[level_of_bucket(bucket)];
    size.postings += static_cast<std::int64_t>(row_.size());
    ++size.rows;
    row_.clear();
    return {};
  }

  Result<void> copy_blocks() {
    if (lists_.empty()) return {};
    AKIN_TRY(CopyIn rows,
             CopyIn::begin(connection_, of_store("akin.frequent_postings_@ (key, n, body)", store_)));
    for (const Postings list : lists_) {
      LevelSize& size = sizes_[blocks_of(band_of(list.front().key))];
      for (std::size_t at = 0; at < list.size(); at += kBlockPostings) {
        const Postings block = list.subspan(at, std::min(kBlockPostings, list.size() - at));
        AKIN_CHECK(rows.row(3));
        rows.number(block.front().key);
        rows.number(static_cast<std::int64_t>(block.size()));
        rows.bytes(encode_block(block));
        ++size.rows;
      }
      size.postings += static_cast<std::int64_t>(list.size());
    }
    return rows.finish();
  }

  Connection& connection_;
  StoreNumber store_;
  const BandLevels& levels_;
  std::vector<StoredPosting> row_;
  std::vector<Postings> lists_;
  LevelSizes sizes_;
};

}  // namespace

Result<LevelSizes> read_level_sizes(Connection& connection, StoreNumber store) {
  AKIN_TRY(const Rows rows, connection.run(of_store(kLevelSizes, store)));
  return level_sizes_of(rows);
}

LevelSizes level_sizes_of(const Rows& rows) {
  LevelSizes sizes;
  for (std::size_t row = 0; row < rows.size(); ++row)
    sizes[static_cast<int>(rows.number(row, 0))] = {rows.number(row, 1), rows.number(row, 2)};
  return sizes;
}

Result<void> add_to_sizes(Connection& connection, StoreNumber store, const LevelSizes& sizes) {
  std::vector<std::int64_t> levels, postings, rows;
  for (const auto& [level, size] : sizes) {
    levels.push_back(level);
    postings.push_back(size.postings);
    rows.push_back(size.rows);
  }
  if (levels.empty()) return {};
  const std::string sql =
      "INSERT INTO akin.posting_sizes_@ SELECT * FROM unnest($1, $2, $3) UNION ALL SELECT " +
      std::to_string(kPackedVersion) + ", floor(random() * " + kVersions + ")::bigint, 0";
  AKIN_CHECK(connection.run(of_store(sql, store), Params().numbers(levels).numbers(postings).numbers(rows)));
  return {};
}

Result<void> sum_sizes(Connection& connection, StoreNumber store) {
  const std::string version = "level = " + std::to_string(kPackedVersion);
  return connection.command(
      of_store("WITH entries AS (DELETE FROM akin.posting_sizes_@ RETURNING level, postings, rows)"
               " INSERT INTO akin.posting_sizes_@ SELECT level, CASE WHEN " +
                   version + " THEN sum(postings) % " + kVersions +
                   " ELSE sum(postings) END, sum(rows) FROM entries"
                   " GROUP BY level HAVING sum(rows) <> 0 OR " +
                   version,
               store));
}

BandLevels levels_for(Postings postings) noexcept {
  BandLevels levels{};
  for (std::size_t at = 0; at < postings.size();) {
    const std::size_t end =
        end_of_run(postings, at, [](const StoredPosting& one) { return band_of(one.key); });
    const int band = band_of(postings[at].key);
    levels[static_cast<std::size_t>(band)] = level_of(band, bits_for(end - at));
    at = end;
  }
  return levels;
}

Result<LevelSizes> copy_packed(Connection& connection, StoreNumber store, Postings postings,
                               const BandLevels& levels) {
  return Packing(connection, store, levels).copy(postings);
}

}  // namespace akin::pg
