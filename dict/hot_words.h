// The hashes of words that were met lately, packed closely: most words of a text are found here, in a memory
// that stays in the processor's cache, and never touch the large table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace akin {

/// Maps spelling keys to hashes. Two keys share a place; a third drives out the older. Any number of threads
/// may call everything at once, without locks: an entry's two words are written one after the other, and an
/// entry whose words do not belong together is no entry of any key (Hyatt and Mann, "A lock-less
/// transposition table implementation", ICGA Journal 25, 2002).
class HotWords {
 public:
  HotWords() {
    // All others are empty by being zero: key 0 belongs to the first place.
    for (Entry& entry : places_[0]) entry.check.store(1, std::memory_order_relaxed);
  }

  /// Whether the key is here; `hash` is written in any case.
  [[nodiscard]] bool find(std::uint64_t key, std::uint64_t& hash) const noexcept {
    const Place& place = places_[key % kPlaces];
    const Pair younger = place[0].load();
    const Pair older = place[1].load();
    const bool in_younger = (younger.check ^ younger.hash) == key;
    hash = in_younger ? younger.hash : older.hash;
    return in_younger || (older.check ^ older.hash) == key;
  }

  void keep(std::uint64_t key, std::uint64_t hash) noexcept {
    Place& place = places_[key % kPlaces];
    place[1].store(place[0].load());
    place[0].store({key ^ hash, hash});
  }

 private:
  static constexpr std::size_t kPlaces = std::size_t{1} << 15;  // 1 MiB

  struct Pair {
    std::uint64_t check = 0;  ///< key ^ hash
    std::uint64_t hash = 0;
  };
  struct Entry {
    std::atomic<std::uint64_t> check{0};
    std::atomic<std::uint64_t> hash{0};

    [[nodiscard]] Pair load() const noexcept {
      return {check.load(std::memory_order_relaxed), hash.load(std::memory_order_relaxed)};
    }
    void store(Pair pair) noexcept {
      check.store(pair.check, std::memory_order_relaxed);
      hash.store(pair.hash, std::memory_order_relaxed);
    }
  };
  using Place = std::array<Entry, 2>;
  alignas(64) std::array<Place, kPlaces> places_;
};

}  // namespace akin
