// Reads the postings of given features, on every server of a store.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/overlap_planes.h"
#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/pg/packed_rows.h"
#include "index/pg/parts.h"

namespace akin::pg {

class ContentServers;

/// The statement that looks up postings. $1: keys; $2: the buckets that they are in; $3: the keys whose
/// blocks are listed. Rows have a kind and what it says: sizes (packing.h) as level, postings, rows; recent
/// postings as key, document, times; packed rows as bucket and bytes; blocks as id, key, part. `part`: an
/// expression, kPartColumn over the coordinator's views, which ask every shard.
[[nodiscard]] std::string look_up_statement(const std::string& part);
inline constexpr const char* kPartColumn = "part";

/// A block of akin.frequent_postings_N.
struct Block {
  std::int64_t first = 0, last = 0;  ///< documents
  std::uint64_t postings = 0;
  std::string checked;  ///< for_each_in_checked_block
  /// Of a dense block: its documents as bits, from the first group of OverlapPlanes that has one to the last.
  std::vector<std::uint64_t> bits;
  /// Of a dense block: the postings that count more than once.
  std::vector<std::pair<std::int64_t, std::uint32_t>> repeated;

  /// The document of the first bit.
  [[nodiscard]] std::int64_t first_bit() const noexcept { return first - first % OverlapPlanes::kGroup; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return checked.size() + bits.size() * sizeof bits[0] + repeated.size() * sizeof repeated[0];
  }
};

/// Calls visit(document, count) for each posting of a list. Error: corrupt.
template <class Visit>
[[nodiscard]] Result<void> for_each_posting(const Block& block, std::int64_t key, const Visit& visit) {
  if (!for_each_in_checked_block(block.checked, visit)) return damaged_postings("block of key", key);
  return {};
}

/// A key's blocks in one part, in no order.
using Blocks = std::vector<std::shared_ptr<const Block>>;

/// What the account of a part's packed postings says of its blocks: equal only if the blocks are the same.
struct BlocksVersion {
  std::uint64_t changes = 0;  ///< kBlocksVersion
  std::int64_t postings = 0, rows = 0;
  friend bool operator==(const BlocksVersion&, const BlocksVersion&) = default;
};

/// The blocks of some keys in some parts, if each part has the version that is given for it.
struct ListedBlocks {
  std::map<std::size_t, BlocksVersion> versions;  ///< by part
  /// By key and part. A key is here for every part or for none.
  std::map<std::pair<std::int64_t, std::size_t>, std::shared_ptr<const Blocks>> blocks;
};

/// Blocks that have been read, shared by all searches of a store in this process. A block never changes, and
/// its number is never used again. Thread-safe.
class BlockCache {
 public:
  using Id = std::pair<std::int64_t, std::int64_t>;  ///< part, id
  /// Null if it is not here.
  [[nodiscard]] std::shared_ptr<const Block> find(const Id& id) const;
  void add(const Id& id, std::shared_ptr<const Block> block);
  /// What was listed last of some of these keys, in all of these parts.
  [[nodiscard]] ListedBlocks listed(std::span<const std::int64_t> keys,
                                    std::span<const std::size_t> parts) const;
  /// Replaces what was listed at other versions.
  void add_listed(const ListedBlocks& listed);
  /// The levels that packed postings were last seen to have: a guess for the next search.
  [[nodiscard]] std::vector<int> levels() const;
  void set_levels(const std::vector<int>& levels);

 private:
  struct Hash {
    std::size_t operator()(const Id& id) const noexcept {
      return static_cast<std::size_t>(
          mix64(static_cast<std::uint64_t>(id.second) * 64 + static_cast<std::uint64_t>(id.first)));
    }
  };
  /// A part's blocks by key, as of one version.
  struct PartLists {
    BlocksVersion version;
    std::unordered_map<std::int64_t, std::shared_ptr<const Blocks>> lists;
  };
  mutable std::mutex mutex_;
  std::unordered_map<Id, std::shared_ptr<const Block>, Hash> blocks_;  ///< guarded by mutex_
  std::map<std::size_t, PartLists> listed_;                            ///< by part; guarded by mutex_
  std::size_t bytes_ = 0;                                              ///< guarded by mutex_
  std::vector<int> levels_;                                            ///< guarded by mutex_
};

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
  PostingReader(Connection& connection, const Parts& parts, StoreNumber store, BlockCache& cache)
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
  /// Asks for everything, packed postings of some levels only, and no blocks that the answer has.
  [[nodiscard]] Result<void> look_up(ContentServers& servers, const LookUp& wanted,
                                     const std::vector<int>& levels, Answer& answer) const;
  /// The same of ranges, by the coordinator.
  [[nodiscard]] Result<void> look_up_foreign(const LookUp& wanted, const std::vector<int>& levels,
                                             Answer& answer) const;
  /// Asks for packed postings of further levels.
  [[nodiscard]] Result<void> look_up_missed(ContentServers& servers, const LookUp& wanted,
                                            const std::vector<int>& levels, Answer& answer) const;
  /// Reads the blocks that the cache does not have.
  [[nodiscard]] Result<void> read_blocks(ContentServers& servers, Answer& answer) const;

  Connection& connection_;
  const Parts& parts_;
  StoreNumber store_;
  BlockCache& cache_;
};

}  // namespace akin::pg
