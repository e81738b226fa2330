// Packed postings: rows of akin.packed_postings_N, each with the keys and documents of a bucket. A bucket has
// the keys with the same first bits; the number of these bits is its level. A store has several levels at
// once, as merges turn small ones into larger ones. (Log-structured merge, P. O'Neil et al. 1996.)
//
//   bucket   level in the 8 highest bits, then the feature's first `level` bits
//   n        postings in the row, at least 1; a bucket may have several rows
//   keys     ascending; docs: the document of each key, ascending for equal keys, below 2^31
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/pg/format.h"

namespace akin::pg {

/// Features with at least this many documents are frequent: their postings stay in rows of their own, and
/// searches leave them out of the first count if they can.
inline constexpr std::int64_t kFrequentDocuments = 200;
/// A bucket with more postings than this is not packed.
inline constexpr std::size_t kMostInBucket = 20'000;
/// Document numbers from here on stay in rows of their own.
inline constexpr std::int64_t kCompactDocuments = std::int64_t{1} << 31;

/// The level at which this many postings make rows of 16 to 64 on average.
[[nodiscard]] int level_for(std::uint64_t postings) noexcept;

/// The bucket of a key (key_of).
[[nodiscard]] std::int64_t bucket_of(std::int64_t key, int level) noexcept;
/// The same as an SQL expression of the column `key`.
[[nodiscard]] std::string bucket_sql(int level);
/// Buckets of a level are at least this, and less than the next level's.
[[nodiscard]] std::int64_t first_bucket(int level) noexcept;

/// All buckets that may hold the keys, of all levels, and 0, which means rows of their own.
[[nodiscard]] std::vector<std::int64_t> buckets_of(std::span<const std::int64_t> keys,
                                                   std::span<const int> levels);

}  // namespace akin::pg
