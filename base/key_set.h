// A set of 64-bit keys that are hashes already: built once, then only asked.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace akin {

class KeySet {
 public:
  KeySet() = default;

  /// Requires that no key is 0. Keys may repeat.
  explicit KeySet(std::span<const std::uint64_t> keys) {
    if (keys.empty()) return;
    // Room enough that every key is among the places looked at first, if the keys are as random as hashes.
    std::size_t size = std::bit_ceil(2 * keys.size());
    for (const std::size_t most = size * kMostGrowth; !place(keys, size) && size < most; size *= 2) {
    }
    filter_.resize(kFilterBits / 64);
    for (const std::uint64_t key : keys) filter_[key % kFilterBits / 64] |= std::uint64_t{1} << (key % 64);
  }

  /// The processor does not have to predict the answer.
  [[nodiscard]] bool has(std::uint64_t key) const noexcept {
    if (places_.empty()) return false;
    const std::uint64_t may_be = filter_[key % kFilterBits / 64] >> (key % 64) & 1U;
    std::size_t at = key & mask_ & (0 - may_be);
    const std::uint64_t* const places = places_.data() + at;
    static_assert(kAtOnce == 3);  // written out: as a loop, it costs branches
    const bool found = ((places[0] == key) | (places[1] == key) | (places[2] == key)) & (may_be != 0);
    if (reaches_far_ && !found && may_be != 0) [[unlikely]] {
      for (; places_[at] != 0; at = (at + 1) & mask_)
        if (places_[at] == key) return true;
    }
    return found;
  }

  /// Visits every key once, in no order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (places_.empty()) return;
    for (std::size_t at = 0; at <= mask_; ++at) {
      if (places_[at] != 0) visit(places_[at]);
    }
  }

 private:
  static constexpr std::size_t kFilterBits = 65'536;
  static constexpr std::size_t kAtOnce = 3;       ///< places looked at without a branch
  static constexpr std::size_t kMostGrowth = 32;  ///< beyond it, keys are looked for farther away

  /// Gives every key its place among so many, a power of two; whether `has` finds all without a search.
  bool place(std::span<const std::uint64_t> keys, std::size_t size) {
    places_.assign(size + kAtOnce - 1, 0);
    mask_ = size - 1;
    reaches_far_ = false;
    for (const std::uint64_t key : keys) {
      assert(key != 0);
      std::size_t at = key & mask_;
      while (places_[at] != 0 && places_[at] != key) at = (at + 1) & mask_;
      places_[at] = key;
      reaches_far_ |= ((at - key) & mask_) >= kAtOnce;
    }
    for (std::size_t i = 0; i + 1 < kAtOnce; ++i) places_[size + i] = places_[i & mask_];
    return !reaches_far_;
  }

  /// Open addressing, at most half full; 0 is free. The first places are repeated after the last.
  std::vector<std::uint64_t> places_;
  std::vector<std::uint64_t> filter_;  ///< a bit for the low bits of each key: most other keys stop at it
  std::size_t mask_ = 0;
  bool reaches_far_ = false;  ///< some key is beyond the places looked at first
};

}  // namespace akin
