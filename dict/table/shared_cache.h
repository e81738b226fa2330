// What was found out about words, for all threads: a fixed number of places, without locks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/large_pages.h"

namespace akin {

/// Maps keys to numbers other than 0. A key belongs to one of kSets sets of kWays places, and a later key may
/// take the place of an earlier one. At first only kFirstSets are used; when as many keys have lost their
/// places as there are, twice as many sets are, and what was kept has to be kept again. Any number of threads
/// may call everything at once: an entry's two words are written one after the other, and an entry whose
/// words do not belong together matches no key (Hyatt and Mann, "A lock-less transposition table
/// implementation", ICGA Journal 25, 2002). Memory in which nothing was kept is not touched.
template <std::size_t kSets, std::size_t kWays, std::size_t kFirstSets = kSets>
class SharedCache {
 public:
  /// Throws std::bad_alloc.
  SharedCache() : memory_(kSets * sizeof(Set)), sets_(static_cast<Set*>(memory_.begin())) {}

  /// Hints that `find` will soon be called with this key.
  void expect(std::uint64_t key) const noexcept { __builtin_prefetch(&set_of(key)); }

  /// Whether the key is present; then `number` is its number, else any. No branch if sets have one place.
  [[nodiscard]] bool find(std::uint64_t key, std::uint64_t& number) const noexcept {
    for (const Entry& entry : set_of(key)) {
      number = entry.number.load(std::memory_order_relaxed);
      const bool found = static_cast<int>(number != 0) &
                         static_cast<int>((entry.check.load(std::memory_order_relaxed) ^ number) == key);
      if constexpr (kWays == 1) return found;
      if (found) return true;
    }
    return false;
  }

  /// 0 is not kept: it marks a free place.
  void keep(std::uint64_t key, std::uint64_t number) noexcept {
    if (number == 0) return;
    Set& set = set_of(key);
    const auto is_free = [](const Entry& entry) { return entry.number.load(std::memory_order_relaxed) == 0; };
    auto* entry = std::ranges::find_if(set, is_free);
    if (entry == set.end()) {
      entry = &set[(key >> 32U) % kWays];
      if constexpr (kFirstSets < kSets) count_lost();
    }
    entry->check.store(key ^ number, std::memory_order_relaxed);
    entry->number.store(number, std::memory_order_relaxed);
  }

 private:
  struct Entry {
    std::atomic<std::uint64_t> check;   ///< key ^ number
    std::atomic<std::uint64_t> number;  ///< 0: free
  };
  using Set = std::array<Entry, kWays>;

  [[nodiscard]] Set& set_of(std::uint64_t key) const noexcept {
    if constexpr (kFirstSets == kSets) return sets_[key % kSets];
    return sets_[key & (used_.load(std::memory_order_relaxed) - 1)];
  }

  void count_lost() noexcept {
    std::size_t used = used_.load(std::memory_order_relaxed);
    if (used == kSets || lost_.fetch_add(1, std::memory_order_relaxed) + 1 < used * kWays) return;
    lost_.store(0, std::memory_order_relaxed);
    used_.compare_exchange_strong(used, 2 * used, std::memory_order_relaxed);
  }

  static_assert(kSets % kFirstSets == 0 && (kSets / kFirstSets & (kSets / kFirstSets - 1)) == 0);
  static_assert(kFirstSets == kSets || (kFirstSets & (kFirstSets - 1)) == 0);
  std::atomic<std::size_t> used_ = kFirstSets;  ///< sets
  std::atomic<std::size_t> lost_ = 0;           ///< keys whose places were taken since more sets were used

  LargePages memory_;  // of which all bits are 0 at first
  Set* sets_;
};

/// The hashes of recently used words by their spelling keys, packed closely (1 MiB): most words of a text are
/// found here, in memory that stays in the processor's cache, and never touch the large table.
using HotWords = SharedCache<std::size_t{1} << 16, 1>;

/// The hashes of many words that were used before (2 MiB, a large page, to 16 MiB): one read of memory
/// instead of the table's two or three, or of what is done for a word that the table lacks.
using WarmWords = SharedCache<std::size_t{1} << 18, 4, std::size_t{1} << 15>;

/// A SharedCache whose numbers have a flag each: a number with the flag is kept for the key with its highest
/// bit changed, which is in the same set.
template <std::size_t kSets, std::size_t kFirstSets = kSets>
class AnswerCache {
 public:
  struct Answer {
    std::uint64_t number = 0;
    bool flag = false;
  };

  void expect(std::uint64_t key) const noexcept { answers_.expect(key); }

  [[nodiscard]] std::optional<Answer> find(std::uint64_t key) const noexcept {
    std::uint64_t number = 0;
    if (answers_.find(key, number)) return Answer{number, false};
    if (answers_.find(key ^ kFlag, number)) return Answer{number, true};
    return std::nullopt;
  }

  void keep(std::uint64_t key, const Answer& answer) noexcept {
    answers_.keep(answer.flag ? key ^ kFlag : key, answer.number);
  }

 private:
  static constexpr std::uint64_t kFlag = std::uint64_t{1} << 63;

  SharedCache<kSets, 4, kFirstSets> answers_;
};

}  // namespace akin
