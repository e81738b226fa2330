// Blocks of a store's frequent postings that a process keeps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/overlap_planes.h"
#include "index/pg/packed_rows.h"

namespace akin::pg {

/// A block of akin.frequent_postings_N.
struct Block {
  static constexpr std::size_t kSkip = 32;
  struct Place {
    std::int64_t before = 0;
    std::uint32_t offset = 0;  ///< in `checked`
  };

  std::int64_t first = 0, last = 0;  ///< documents
  std::uint64_t postings = 0;
  std::string checked;  ///< for_each_in_checked_block
  /// Where every kSkip-th posting begins, and the document before it.
  std::vector<Place> places;
  /// Of a dense block: its documents as bits, from the first group of OverlapPlanes that has one to the last.
  std::vector<std::uint64_t> bits;
  /// Of a dense block: the postings that count more than once.
  std::vector<std::pair<std::int64_t, std::uint32_t>> repeated;

  /// The document of the first bit.
  [[nodiscard]] std::int64_t first_bit() const noexcept { return first - first % OverlapPlanes::kGroup; }
  /// How often a document has the feature; 0 if it is not in the block. Reads at most kSkip postings.
  [[nodiscard]] std::uint32_t count_of(std::int64_t document) const;
  [[nodiscard]] std::size_t bytes() const noexcept {
    return checked.size() + places.size() * sizeof places[0] + bits.size() * sizeof bits[0] +
           repeated.size() * sizeof repeated[0];
  }
};

/// Calls visit(document, count) for each posting of a list. Error: corrupt.
template <class Visit>
[[nodiscard]] Result<void> for_each_posting(const Block& block, std::int64_t key, const Visit& visit) {
  if (!for_each_in_checked_block(block.checked, visit)) return damaged_postings("block of key", key);
  return {};
}

/// A block of a key from its bytes. Error: corrupt.
[[nodiscard]] Result<std::shared_ptr<const Block>> make_block(std::string_view bytes, std::int64_t key);

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

}  // namespace akin::pg
