// Whether a hash may be among some others.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace akin {

/// All that were added, and of others one in 32 at most if no more are added than announced (Bloom,
/// "Space/time trade-offs in hash coding with allowable errors", 1970, with one hash). So small that it stays
/// in the processor's cache where a table would not: 4 bytes a hash, at least 8 KiB, unless `bits` says how
/// many.
class HashFilter {
 public:
  explicit HashFilter(std::size_t hashes) : bits_(std::bit_ceil(std::max<std::size_t>(kLeast, hashes / 2))) {}
  /// In so many bits a hash, or up to twice as many: of others one in `bits` at most.
  HashFilter(std::size_t hashes, std::size_t bits) : bits_(std::bit_ceil(hashes * bits / 64 + 1)) {}
  void add(std::uint64_t hash) noexcept { bits_[place_of(hash)] |= bit_of(hash); }
  /// Without a branch.
  [[nodiscard]] bool may_have(std::uint64_t hash) const noexcept {
    return (bits_[place_of(hash)] & bit_of(hash)) != 0;
  }
  /// The memory that it takes beside itself.
  [[nodiscard]] std::size_t bytes() const noexcept { return bits_.size() * sizeof bits_[0]; }

 private:
  static constexpr std::size_t kLeast = 1024;

  [[nodiscard]] std::size_t place_of(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>(hash >> 6U) & (bits_.size() - 1);
  }
  [[nodiscard]] static std::uint64_t bit_of(std::uint64_t hash) noexcept {
    return std::uint64_t{1} << (hash & 63U);
  }

  std::vector<std::uint64_t> bits_;
};

}  // namespace akin
