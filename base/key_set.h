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
    const std::size_t size = std::bit_ceil(2 * keys.size());
    places_.resize(size + kAtOnce - 1);
    mask_ = size - 1;
    for (const std::uint64_t key : keys) {
      assert(key != 0);
      std::size_t at = key & mask_;
      while (places_[at] != 0 && places_[at] != key) at = (at + 1) & mask_;
      places_[at] = key;
      filter_.resize(kFilterBits / 64);
      filter_[key % kFilterBits / 64] |= std::uint64_t{1} << (key % 64);
    }
    for (std::size_t i = 0; i + 1 < kAtOnce; ++i) places_[size + i] = places_[i & mask_];
  }

  /// The processor does not have to predict the answer.
  [[nodiscard]] bool has(std::uint64_t key) const noexcept {
    if (places_.empty()) return false;
    const std::uint64_t may_be = filter_[key % kFilterBits / 64] >> (key % 64) & 1U;
    std::size_t at = key & mask_ & (0 - may_be);
    bool found = false, full = true;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      found |= places_[at + i] == key;
      full &= places_[at + i] != 0;
    }
    found &= may_be != 0;
    if (!found & full & (may_be != 0)) [[unlikely]] {
      for (at = (at + kAtOnce) & mask_; places_[at] != 0; at = (at + 1) & mask_)
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
  static constexpr std::size_t kAtOnce = 3;  ///< places looked at without a branch

  /// Open addressing, a power of two in size, at most half full; 0 is free. The first places are repeated
  /// behind the last.
  std::vector<std::uint64_t> places_;
  std::vector<std::uint64_t> filter_;  ///< a bit for the low bits of each key: most other keys stop at it
  std::size_t mask_ = 0;
};

}  // namespace akin
