// The hashes of recently used words, packed closely: most words of a text are found here, in memory that
// stays in the processor's cache, and never touch the large table.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dict/compile/large_pages.h"

namespace akin {

/// Maps spelling keys to hashes; each key has one place, where a later one may replace it. Any number of
/// threads may call everything at once, without locks: an entry's two words are written one after the other,
/// and an entry whose words do not belong together matches no key (Hyatt and Mann, "A lock-less transposition
/// table implementation", ICGA Journal 25, 2002).
class HotWords {
 public:
  /// Throws std::bad_alloc.
  HotWords() : memory_(kEntries * sizeof(Entry)), entries_(static_cast<Entry*>(memory_.begin())) {
    // All other entries are empty because they are zero: key 0 belongs to the first.
    entries_[0].check.store(1, std::memory_order_relaxed);
  }

  /// Hints that `find` will soon be called with this key.
  void expect(std::uint64_t key) const noexcept { __builtin_prefetch(&entries_[key % kEntries]); }

  /// Whether the key is present; `hash` is written in any case.
  [[nodiscard]] bool find(std::uint64_t key, std::uint64_t& hash) const noexcept {
    const Entry& entry = entries_[key % kEntries];
    hash = entry.hash.load(std::memory_order_relaxed);
    return (entry.check.load(std::memory_order_relaxed) ^ hash) == key;
  }

  void keep(std::uint64_t key, std::uint64_t hash) noexcept {
    Entry& entry = entries_[key % kEntries];
    entry.check.store(key ^ hash, std::memory_order_relaxed);
    entry.hash.store(hash, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kEntries = std::size_t{1} << 16;  // 1 MiB

  struct Entry {
    std::atomic<std::uint64_t> check;  ///< key ^ hash
    std::atomic<std::uint64_t> hash;
  };
  LargePages memory_;
  Entry* entries_;
};

}  // namespace akin
