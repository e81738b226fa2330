// Packed postings of a store that a process keeps.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/overlap/overlap_planes.h"
#include "index/pg/postings/packed_rows.h"
#include "index/pg/postings/packing.h"

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

/// A key's blocks, in no order.
using Blocks = std::vector<std::shared_ptr<const Block>>;

/// A bucket's rows without their checksums, in no order.
using BucketRows = std::vector<std::string>;

/// What the account of a store's packed postings says: equal only if they are the same.
struct PackedVersion {
  std::uint64_t changes = 0;  ///< kPackedVersion
  LevelSizes sizes;           ///< those that are not 0
  friend bool operator==(const PackedVersion&, const PackedVersion&) = default;
};

/// Values by a number, ascending.
template <class Value>
struct ByNumber {
  std::vector<std::pair<std::int64_t, std::shared_ptr<const Value>>> values;

  [[nodiscard]] bool contains(std::int64_t number) const {
    return std::ranges::binary_search(values, number, {}, [](const auto& one) { return one.first; });
  }
};

/// Postings of some keys, if the store has this version.
struct KnownPostings {
  std::optional<PackedVersion> version;
  ByNumber<Blocks> blocks;    ///< by key
  ByNumber<BucketRows> rows;  ///< by bucket
};

class PostingCache;

/// The caches that share a bound of bytes: beyond it, that one is emptied which was asked least recently.
/// Thread-safe.
class PostingCaches {
 public:
  explicit PostingCaches(std::size_t most) : most_(most) {}
  /// Those of all stores of this process.
  [[nodiscard]] static PostingCaches& of_process();

 private:
  friend class PostingCache;
  void add(PostingCache& cache);
  void remove(PostingCache& cache);
  /// Empties caches while there are more bytes than there may be. The caller holds the lock of no cache.
  void trim();

  const std::size_t most_;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::uint64_t> asked_ = 0;  ///< counts the questions to all of them
  std::mutex mutex_;                      ///< locked before that of a cache
  std::vector<PostingCache*> caches_;     ///< guarded by mutex_
};

/// Packed postings that have been read, shared by all searches of a store in this process: blocks and rows. A
/// block never changes, and its number is never used again. Thread-safe.
class PostingCache {
 public:
  /// `caches`: must outlive it.
  explicit PostingCache(PostingCaches& caches = PostingCaches::of_process());
  PostingCache(const PostingCache&) = delete;
  PostingCache& operator=(const PostingCache&) = delete;
  ~PostingCache();

  /// A block by its id; null if it is not here.
  [[nodiscard]] std::shared_ptr<const Block> find(std::int64_t id) const;
  void add(std::int64_t id, const std::shared_ptr<const Block>& block);
  /// What was read last of some of these keys and buckets, which ascend.
  [[nodiscard]] KnownPostings known(std::span<const std::int64_t> keys,
                                    std::span<const std::int64_t> buckets) const;
  /// Replaces what was read at another version.
  void add_known(const KnownPostings& read);
  /// The levels that packed postings were last seen to have: a guess for the next search.
  [[nodiscard]] std::vector<int> levels() const;
  void set_levels(const std::vector<int>& levels);

 private:
  friend class PostingCaches;
  /// Forgets all; how many bytes it had.
  std::size_t clear();
  /// Requires mutex_.
  void keep(const KnownPostings& read);
  /// Requires mutex_: notes that it was asked.
  void touch() const { asked_ = ++caches_.asked_; }
  /// Requires mutex_: the bytes that it has changed from `before`.
  void note_bytes(std::size_t before);
  [[nodiscard]] std::size_t held() const { return bytes_ + (versioned_ ? versioned_->row_bytes : 0); }

  struct Hash {
    std::size_t operator()(std::int64_t id) const noexcept {
      return static_cast<std::size_t>(mix64(static_cast<std::uint64_t>(id)));
    }
  };
  /// Blocks by key, and rows by bucket, as of one version.
  struct Versioned {
    PackedVersion version;
    std::unordered_map<std::int64_t, std::shared_ptr<const Blocks>> blocks;
    std::unordered_map<std::int64_t, std::shared_ptr<const BucketRows>> rows;
    std::size_t row_bytes = 0;  ///< memory of the rows
  };
  PostingCaches& caches_;
  mutable std::atomic<std::uint64_t> asked_ = 0;  ///< when it was asked last, by PostingCaches::asked_
  mutable std::mutex mutex_;
  std::unordered_map<std::int64_t, std::shared_ptr<const Block>, Hash> blocks_;  ///< by id; guarded by mutex_
  std::optional<Versioned> versioned_;                                           ///< guarded by mutex_
  std::size_t bytes_ = 0;    ///< of blocks_; guarded by mutex_
  std::vector<int> levels_;  ///< guarded by mutex_
};

}  // namespace akin::pg
