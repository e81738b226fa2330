// Reads the postings of given features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/pg/client/look_ups.h"
#include "index/pg/postings/packed_rows.h"
#include "index/pg/postings/posting_cache.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// The statement that looks up postings. $1: keys; $2: the buckets that they are in; $3: the keys whose
/// blocks are listed. Rows have a kind and what it says: sizes (packing.h) as level, postings, rows; recent
/// postings as key, document, times; packed rows as bucket and bytes; blocks as id and key.
inline constexpr const char* kLookUp =
    "SELECT 0::bigint AS kind, level, postings, rows, NULL::bytea FROM akin.posting_sizes_@"
    " UNION ALL SELECT 1::bigint, key, doc, n, NULL FROM akin.postings_@ WHERE key = ANY($1)"
    " UNION ALL SELECT 2::bigint, bucket, NULL, NULL, body FROM akin.packed_postings_@"
    " WHERE bucket = ANY($2) UNION ALL SELECT 3::bigint, id, key, NULL, NULL FROM akin.frequent_postings_@"
    " WHERE key = ANY($3)";

/// A frequent feature's blocks.
struct FrequentList {
  std::int64_t key = 0;
  std::uint64_t postings = 0;
  Blocks blocks;  ///< in no order
};

/// The postings of some keys: of a key in both, the postings are those of both together, each once.
struct KeyPostings {
  std::vector<StoredPosting> rare;  ///< in no order
  std::vector<FrequentList> frequent;
};

/// Reads the postings that a transaction sees: of all documents, and of some that are tombstoned. One thread.
class PostingReader {
 public:
  /// `look_ups`, `cache`: must outlive the reader.
  PostingReader(LookUps& look_ups, StoreNumber store, PostingCache& cache)
      : look_ups_(look_ups), store_(store), cache_(cache) {}

  /// `keys` ascending. Error also: corrupt.
  [[nodiscard]] Result<KeyPostings> read(std::span<const std::int64_t> keys) const;
  /// The same, kept: a search asks for the features of its query in every document that it describes. Of the
  /// last few lists of keys.
  [[nodiscard]] Result<std::shared_ptr<const KeyPostings>> read_kept(
      std::span<const std::int64_t> keys) const;
  /// Keeps the postings of two lists of keys, which are read at once.
  [[nodiscard]] Result<void> read_together(std::span<const std::int64_t> keys,
                                           std::span<const std::int64_t> next) const;
  /// Those that are kept of these keys; null if none are.
  [[nodiscard]] std::shared_ptr<const KeyPostings> kept(std::span<const std::int64_t> keys) const;
  /// The postings of all keys of ranges, which ascend, do not overlap, and are each in one band. Error also:
  /// corrupt.
  [[nodiscard]] Result<KeyPostings> read_ranges(std::span<const KeyRange> ranges) const;

 private:
  class Answer;
  struct LookUp {
    std::span<const KeyRange> ranges;
    std::vector<std::int64_t> firsts;  ///< of the ranges
    bool are_keys = false;             ///< every range has one key
  };
  [[nodiscard]] Result<KeyPostings> read_from(const LookUp& wanted) const;
  /// Asks for everything, packed postings in these buckets only, and nothing that the answer knows.
  [[nodiscard]] Result<void> look_up(const LookUp& wanted, std::span<const std::int64_t> all_buckets,
                                     Answer& answer) const;
  /// Asks for packed postings of further levels.
  [[nodiscard]] Result<void> look_up_missed(const LookUp& wanted, const std::vector<int>& levels,
                                            Answer& answer) const;
  /// Reads the blocks that the cache does not have.
  [[nodiscard]] Result<void> read_blocks(Answer& answer) const;

  std::shared_ptr<const KeyPostings> keep(std::span<const std::int64_t> keys, KeyPostings postings) const;

  struct Kept {
    std::vector<std::int64_t> keys;
    std::shared_ptr<const KeyPostings> postings;
  };

  LookUps& look_ups_;
  StoreNumber store_;
  PostingCache& cache_;
  mutable std::vector<Kept> kept_;  ///< the last one last
};

}  // namespace akin::pg
