// Reads the postings of given features, on every server of a store.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/pg/packed_rows.h"
#include "index/pg/parts.h"
#include "index/pg/posting_cache.h"

namespace akin::pg {

class ContentServers;

/// The statement that looks up postings. $1: keys; $2: the buckets that they are in; $3: the keys whose
/// blocks are listed. Rows have a kind and what it says: sizes (packing.h) as level, postings, rows; recent
/// postings as key, document, times; packed rows as bucket and bytes; blocks as id, key, part. `part`: an
/// expression, kPartColumn over the coordinator's views, which ask every shard.
[[nodiscard]] std::string look_up_statement(const std::string& part);
inline constexpr const char* kPartColumn = "part";

/// A frequent feature's blocks.
struct FrequentList {
  std::int64_t key = 0;
  std::uint64_t postings = 0;
  Blocks blocks;  ///< of all parts, in no order
};

/// The postings of some keys: of a key in both, the postings are those of both together, each once.
struct KeyPostings {
  std::vector<StoredPosting> rare;  ///< in no order
  std::vector<FrequentList> frequent;
};

/// The keys from `first` to `last`.
struct KeyRange {
  std::int64_t first = 0, last = 0;
};

/// Reads the postings of all documents that the transaction of a connection to the store's own database sees,
/// and perhaps of others: shards are read as of a later moment. One thread.
class PostingReader {
 public:
  /// `connection`, `parts`, `cache`: must outlive the reader.
  PostingReader(Connection& connection, const Parts& parts, StoreNumber store, PostingCache& cache)
      : connection_(connection), parts_(parts), store_(store), cache_(cache) {}

  /// `keys` ascending. Error also: corrupt.
  [[nodiscard]] Result<KeyPostings> read(std::span<const std::int64_t> keys) const;
  /// The postings of all keys of ranges, which ascend, do not overlap, and are each in one bucket of any
  /// level. `only`: those of the documents of a part suffice. Error also: corrupt.
  [[nodiscard]] Result<KeyPostings> read_ranges(std::span<const KeyRange> ranges,
                                                std::optional<std::size_t> only) const;

 private:
  class Answer;
  struct LookUp {
    std::span<const KeyRange> ranges;
    std::vector<std::int64_t> firsts;  ///< of the ranges
    bool are_keys = false;             ///< every range has one key
  };
  [[nodiscard]] Result<KeyPostings> read_from(ContentServers& servers, const LookUp& wanted) const;
  /// Asks for everything, packed postings in these buckets only, and nothing that the answer knows.
  [[nodiscard]] Result<void> look_up(ContentServers& servers, const LookUp& wanted,
                                     std::span<const std::int64_t> all_buckets, Answer& answer) const;
  /// The statement for the packed rows of some buckets, as those of look_up_statement.
  [[nodiscard]] Statement packed_rows(std::span<const std::int64_t> buckets) const;
  /// The same of ranges, by the coordinator.
  [[nodiscard]] Result<void> look_up_foreign(const LookUp& wanted, std::span<const std::int64_t> all_buckets,
                                             Answer& answer) const;
  /// Asks for packed postings of further levels.
  [[nodiscard]] Result<void> look_up_missed(ContentServers& servers, const LookUp& wanted,
                                            const std::vector<int>& levels, Answer& answer) const;
  /// Reads the blocks that the cache does not have.
  [[nodiscard]] Result<void> read_blocks(ContentServers& servers, Answer& answer) const;

  Connection& connection_;
  const Parts& parts_;
  StoreNumber store_;
  PostingCache& cache_;
};

}  // namespace akin::pg
