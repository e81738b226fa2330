// Filters of the features that runs have, in memory: most features of a query are in no run, and are not
// sought in the table then.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/large_pages.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// The features of a run from one on, as far as they have been read: a Bloom filter whose bits of a feature
/// are in one word (Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007). Of
/// features that the run does not have it lets one in 25 pass. Thread-safe, but only one thread may add.
class RunFilter {
 public:
  /// Memory: a byte for each of the features that it has room for.
  RunFilter(Feature from, std::uint64_t room);
  ~RunFilter();
  RunFilter(const RunFilter&) = delete;
  RunFilter& operator=(const RunFilter&) = delete;

  /// Of all filters of this process: 128 MiB, or a 32nd of available_memory() if that is more.
  [[nodiscard]] static std::uint64_t most_bytes();
  [[nodiscard]] static std::uint64_t bytes_in_use() noexcept { return in_use().load(); }

  /// False: the run does not have the feature, in any transaction that may use this filter (RunFilters).
  [[nodiscard]] bool may_have(Feature feature) const noexcept {
    const auto number = static_cast<std::uint64_t>(feature);
    if (number < from_ || number >= to_.load(std::memory_order_acquire)) return true;
    const Bits bits = bits_of(feature);
    return (word_at(bits.word).load(std::memory_order_relaxed) & bits.mask) == bits.mask;
  }

  /// Reads on in the run, so many postings and up to a block more, or to where it is damaged.
  void read_on(const lmdb::Txn& txn, const Tables& tables, const RunInfo& run, std::uint64_t postings);
  /// Whether the run still has all features from where this has read to.
  [[nodiscard]] bool fits(const RunInfo& run) const noexcept {
    return static_cast<std::uint64_t>(run.from) <= to_.load(std::memory_order_relaxed);
  }
  /// Whether nothing more can be read: it is full, or has come to the end of the run, or to damage.
  [[nodiscard]] bool is_complete(const RunInfo& run) const noexcept {
    return features_ >= room_ || damaged_ || end_of_ == run.postings;
  }
  /// Whether it is full, and has room for less than half of a run.
  [[nodiscard]] bool is_outgrown(const RunInfo& run) const noexcept {
    return features_ >= room_ && room_ < run.postings / 2;
  }

 private:
  struct Bits {
    std::size_t word = 0;
    std::uint64_t mask = 0;
  };
  [[nodiscard]] Bits bits_of(Feature feature) const noexcept {
    const std::uint64_t hash = mix64(static_cast<std::uint64_t>(feature));
    std::uint64_t mask = 0;
    for (unsigned at = 0; at < 24; at += 6) mask |= std::uint64_t{1} << (hash >> at & 63U);
    return {static_cast<std::size_t>((hash >> 32U) * words_ >> 32U), mask};
  }
  [[nodiscard]] std::uint64_t* place_of(std::size_t word) const noexcept {
    return static_cast<std::uint64_t*>(memory_.begin()) + word;
  }
  [[nodiscard]] std::atomic_ref<std::uint64_t> word_at(std::size_t word) const noexcept {
    return std::atomic_ref(*place_of(word));
  }
  static std::atomic<std::uint64_t>& in_use() noexcept;
  [[nodiscard]] Result<void> read_blocks(const lmdb::Txn& txn, const Tables& tables, const RunInfo& run,
                                         std::uint64_t postings);
  [[nodiscard]] Result<bool> seek_next(lmdb::Cursor& cursor, std::uint32_t run) const;
  /// Sets its bits soon, once their word has come from memory; set_expected does so at once.
  void add(Feature feature) noexcept;
  void set_expected() noexcept;
  void set(const Bits& bits) noexcept;

  const std::uint64_t from_;
  std::atomic<std::uint64_t> to_;  ///< it has all features of the run in [from_, to_)
  std::size_t words_;
  LargePages memory_;  ///< of the words
  std::array<Bits, 16> expected_ = {};
  const std::uint64_t room_;
  std::uint64_t features_ = 0;                                        ///< that were added
  std::uint64_t end_of_ = std::numeric_limits<std::uint64_t>::max();  ///< postings of the run that was read
  bool damaged_ = false;
};

/// The filters of an open store. A thread reads the runs for them, once some searches have been made; until
/// then, and while it reads, what a filter does not know is looked up. Thread-safe.
///
/// A filter is exact for every transaction in which its run is not recent (is_recent): such a run has its
/// number for itself, and changes only at its ends, where a merge takes its smallest features away, or adds
/// larger ones to the run that it makes.
class RunFilters {
 public:
  /// Views both.
  RunFilters(const lmdb::Env& env, const Tables& tables) noexcept : env_(env), tables_(tables) {}
  ~RunFilters();
  RunFilters(const RunFilters&) = delete;
  RunFilters& operator=(const RunFilters&) = delete;

  /// Those of each run of `state`, null for a run without one, for a search. What is damaged is not in a
  /// filter.
  [[nodiscard]] std::vector<std::shared_ptr<const RunFilter>> of(const PostingState& state);
  /// Waits until the thread has read what there is.
  void wait() const;

 private:
  /// A store that is opened for a few searches gains nothing.
  static constexpr std::uint64_t kFirst = 8;
  /// Read in one transaction: some 50 ms.
  static constexpr std::uint64_t kPostingsAtOnce = std::uint64_t{1} << 19U;

  /// Whether nothing more can be read. Requires mutex_, and that nobody reads.
  [[nodiscard]] bool are_complete(const PostingState& state) const;
  /// Requires mutex_, and that nobody reads. If no thread can be started, the next search tries again.
  void start() noexcept;
  void run() noexcept;
  /// Reads on; false if there is nothing more.
  [[nodiscard]] Result<bool> read_on();
  /// The filter of a run that is not recent; null without memory for it.
  [[nodiscard]] std::shared_ptr<RunFilter> filter_of(const RunInfo& run);

  const lmdb::Env& env_;
  const Tables& tables_;
  std::atomic<std::uint64_t> searches_ = 0;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  std::unordered_map<std::uint32_t, std::shared_ptr<RunFilter>> by_run_;  ///< guarded by mutex_
  bool reading_ = false;  ///< guarded by mutex_; reset by the thread as its last act
  std::thread thread_;
};

}  // namespace akin
