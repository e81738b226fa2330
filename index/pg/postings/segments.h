// Where packed postings are. Rows of akin.packed_postings_N hold postings of neighbouring keys, a bucket: the
// keys with the same first bits; the number of these bits is the bucket's level. A store has several levels
// at once, as merges turn small ones into larger ones. (Log-structured merge, P. O'Neil et al. 1996.) Keys
// that many documents have are in blocks of their own, in akin.frequent_postings_N.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/pg/tables/format.h"

namespace akin::pg {

/// A key with at least this many documents in a load or merge gets blocks of its own.
inline constexpr std::size_t kFrequentDocuments = 200;
/// The postings of a block, except the last one of a load or merge.
inline constexpr std::size_t kBlockPostings = 1'024;
/// The most postings of a packed row; a bucket may have several rows.
inline constexpr std::size_t kMostInRow = 512;
/// All keys of a bucket with more postings than this get blocks, whatever their number of documents:
/// otherwise every look-up of one would read all.
inline constexpr std::size_t kCrowdedBucket = 4'096;
/// Every level is at least this.
inline constexpr int kLeastLevel = 8;

/// The level at which this many postings make rows of 32 to 64 on average.
[[nodiscard]] int level_for(std::uint64_t postings) noexcept;

/// The bucket of a key (key_of): its level in the 8 highest bits, then the feature's first `level` bits.
[[nodiscard]] std::int64_t bucket_of(std::int64_t key, int level) noexcept;
[[nodiscard]] int level_of(std::int64_t bucket) noexcept;
/// Whether a number is that of a bucket: level_of and the functions below require one.
[[nodiscard]] bool is_bucket(std::int64_t number) noexcept;
/// The least key of a bucket, and how far its largest key is from that.
[[nodiscard]] std::int64_t first_key(std::int64_t bucket) noexcept;
[[nodiscard]] std::uint64_t last_key_offset(std::int64_t bucket) noexcept;
/// Buckets of a level are at least this, and less than the next level's.
[[nodiscard]] std::int64_t first_bucket(int level) noexcept;

/// All buckets of these levels that may hold the keys, ascending.
[[nodiscard]] std::vector<std::int64_t> buckets_of(std::span<const std::int64_t> keys,
                                                   std::span<const int> levels);

}  // namespace akin::pg
