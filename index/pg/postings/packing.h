// Writes postings packed, and keeps account of how many there are.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "index/pg/client/connection.h"
#include "index/pg/postings/packed_rows.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// Packed postings of a level, or of blocks (blocks_of), and their rows.
struct LevelSize {
  std::int64_t postings = 0, rows = 0;
  friend bool operator==(const LevelSize&, const LevelSize&) = default;
};
using LevelSizes = std::map<int, LevelSize>;

/// The "level" of entries that no rows belong to: each transaction that changes packed rows or blocks adds
/// one with a random number of this many bits. Their sum, as a number of this many bits, changes with the
/// rows.
inline constexpr int kPackedVersion = -1;
inline constexpr unsigned kVersionBits = 48;

/// A store's packed postings by level; levels without rows are omitted.
[[nodiscard]] Result<LevelSizes> read_level_sizes(Connection& connection, StoreNumber store);
/// Its statement, for a search that sends it with others, and what its rows say.
inline constexpr const char* kLevelSizes =
    "SELECT level, sum(postings)::bigint, sum(rows)::bigint FROM akin.posting_sizes_@"
    " GROUP BY level HAVING sum(rows) > 0";
[[nodiscard]] LevelSizes level_sizes_of(const Rows& rows);
/// Adds to the account, inside the transaction that changes the rows. Negative numbers subtract.
[[nodiscard]] Result<void> add_to_sizes(Connection& connection, StoreNumber store, const LevelSizes& sizes);
/// Makes one entry of each level's in the account.
[[nodiscard]] Result<void> sum_sizes(Connection& connection, StoreNumber store);

/// Levels that make rows of 32 to 64 postings on average, of ascending postings.
[[nodiscard]] BandLevels levels_for(std::span<const StoredPosting> postings) noexcept;

/// Writes ascending postings as rows of their band's level and as blocks, by COPY inside a transaction;
/// returns what has been written. The caller enters it into the account.
[[nodiscard]] Result<LevelSizes> copy_packed(Connection& connection, StoreNumber store,
                                             std::span<const StoredPosting> postings,
                                             const BandLevels& levels);

}  // namespace akin::pg
