// Numbers that depend on nothing but a seed.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace akin::bench {

/// SplitMix64: cheap, and any number may be its seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t next() noexcept { return mix64(state_ += 0x9e3779b97f4a7c15U); }
  /// Below n, evenly but for a part in 2^64/n.
  std::uint64_t below(std::uint64_t n) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{next()} * n) >> 64U);
  }
  /// From `least` to `most`, both included.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) noexcept {
    return least + below(most - least + 1);
  }

 private:
  std::uint64_t state_;
};

}  // namespace akin::bench
