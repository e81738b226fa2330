// Where packed postings are. Rows of akin.packed_postings_N hold postings of neighbouring keys, a bucket: the
// keys of a band with the same first bits. A band is the keys of a tier (morph/schemes/tiers.h) whose other
// bits make a number of at most 32, of at most 44 or of up to 62 bits, since features of some schemes have
// fewer bits than 62: so the keys of a band are spread over its buckets. A band and the number of first bits
// are a level. Each band has several levels at once, as merges turn small ones into larger ones.
// (Log-structured merge, P. O'Neil et al. 1996.) Keys that many documents have are in blocks of their own, in
// akin.frequent_postings_N.
#pragma once

#include <array>
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

/// The keys from `first` to `last`.
struct KeyRange {
  std::int64_t first = 0, last = 0;
};

inline constexpr int kBands = 12;
[[nodiscard]] int band_of(std::int64_t key) noexcept;

/// The number of a level, which is positive: of a band's buckets by so many first bits.
[[nodiscard]] constexpr int level_of(int band, int bits) noexcept { return band << 6 | bits; }
[[nodiscard]] constexpr int band_of_level(int level) noexcept { return level >> 6; }
[[nodiscard]] constexpr int bits_of_level(int level) noexcept { return level & 63; }
/// Every level has at least and at most so many bits.
inline constexpr int kLeastBits = 8, kMostBits = 32;
/// A band's blocks are counted as a level without bits.
[[nodiscard]] constexpr int blocks_of(int band) noexcept { return level_of(band, 0); }
[[nodiscard]] constexpr bool are_blocks(int level) noexcept { return bits_of_level(level) == 0; }

/// The bits with which this many postings make rows of 32 to 64 on average.
[[nodiscard]] int bits_for(std::uint64_t postings) noexcept;
/// A level for each band; 0: none.
using BandLevels = std::array<int, kBands>;

/// The bucket of a key (key_of) of the level's band: the level, then the key's first bits.
[[nodiscard]] std::int64_t bucket_of(std::int64_t key, int level) noexcept;
[[nodiscard]] int level_of_bucket(std::int64_t bucket) noexcept;
/// Whether a number is that of a bucket: level_of_bucket and keys_of_bucket require one.
[[nodiscard]] bool is_bucket(std::int64_t number) noexcept;
[[nodiscard]] KeyRange keys_of_bucket(std::int64_t bucket) noexcept;
/// Buckets of a level are at least this, and less than the next level's.
[[nodiscard]] std::int64_t first_bucket(int level) noexcept;
/// No bucket of the level before this one has the key or a larger one.
[[nodiscard]] std::int64_t first_bucket_from(std::int64_t key, int level) noexcept;

/// A band's keys in 2^bits parts of about equal size; each bucket of a level of at least so many bits is in
/// one.
[[nodiscard]] std::vector<KeyRange> parts_of_band(int band, int bits);

/// All buckets of these levels that may hold keys of the ranges, each of which is in one band; ascending.
[[nodiscard]] std::vector<std::int64_t> buckets_of(std::span<const KeyRange> ranges,
                                                   std::span<const int> levels);

}  // namespace akin::pg
