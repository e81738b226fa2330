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
    places_.resize(std::bit_ceil(2 * keys.size()));
    mask_ = places_.size() - 1;
    for (const std::uint64_t key : keys) {
      assert(key != 0);
      std::size_t at = key & mask_;
      while (places_[at] != 0 && places_[at] != key) at = (at + 1) & mask_;
      places_[at] = key;
      filter_.resize(kFilterBits / 64);
      filter_[key % kFilterBits / 64] |= std::uint64_t{1} << (key % 64);
    }
  }

  [[nodiscard]] bool has(std::uint64_t key) const noexcept {
    if (places_.empty() || (filter_[key % kFilterBits / 64] >> (key % 64) & 1U) == 0) return false;
    for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
      if (places_[at] == key) return true;
      if (places_[at] == 0) return false;
    }
  }

  /// Visits every key once, in no order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const std::uint64_t key : places_) {
      if (key != 0) visit(key);
    }
  }

 private:
  static constexpr std::size_t kFilterBits = 65'536;

  std::vector<std::uint64_t>
      places_;  ///< open addressing, a power of two in size, at most half full; 0 is free
  std::vector<std::uint64_t> filter_;  ///< a bit for the low bits of each key: most other keys stop at it
  std::size_t mask_ = 0;
};

}  // namespace akin
