// The hashes of many words that were used before: what HotWords has no room for. One read of memory instead
// of the table's two or three, or of what is done for a word that the table lacks.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dict/compile/large_pages.h"

namespace akin {

/// Maps spelling keys to hashes, in sets of four places of which a later key may take one. Any thread,
/// without locks, as HotWords. Memory that no word was kept in is not touched.
class WarmWords {
 public:
  /// Throws std::bad_alloc.
  WarmWords() : memory_(kBytes), sets_(static_cast<Set*>(memory_.begin())) {}

  /// Hints that `find` will soon be called with this key.
  void expect(std::uint64_t key) const noexcept { __builtin_prefetch(&sets_[key % kSets]); }

  /// Whether the key is present; then `hash` is its hash.
  [[nodiscard]] bool find(std::uint64_t key, std::uint64_t& hash) const noexcept {
    for (const Entry& entry : sets_[key % kSets]) {
      const std::uint64_t kept = entry.hash.load(std::memory_order_relaxed);
      if (kept == 0 || (entry.check.load(std::memory_order_relaxed) ^ kept) != key) continue;
      hash = kept;
      return true;
    }
    return false;
  }

  /// A hash of 0 is not kept: it marks a free place.
  void keep(std::uint64_t key, std::uint64_t hash) noexcept {
    if (hash == 0) return;
    Set& set = sets_[key % kSets];
    Entry* entry = set.begin();
    while (entry != set.end() && entry->hash.load(std::memory_order_relaxed) != 0) ++entry;
    if (entry == set.end()) entry = &set[(key >> 32U) % kWays];
    entry->check.store(key ^ hash, std::memory_order_relaxed);
    entry->hash.store(hash, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kWays = 4;
  static constexpr std::size_t kSets = std::size_t{1} << 18;
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;

  struct Entry {
    std::atomic<std::uint64_t> check;  ///< key ^ hash
    std::atomic<std::uint64_t> hash;   ///< 0: free
  };
  using Set = std::array<Entry, kWays>;
  static constexpr std::size_t kBytes = kSets * sizeof(Set);  // 16 MiB, of which all bits are 0 at first

  LargePages memory_;
  Set* sets_;
};

}  // namespace akin
