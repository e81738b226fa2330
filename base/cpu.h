// Which instructions of the processor the vector forms of a function may use.
#pragma once

#include <cstdint>

namespace akin {

/// The levels of x86-64 as its psABI names them, each with all that is in those before it. Other
/// architectures have `baseline` alone.
enum class CpuLevel : std::uint8_t {
  baseline,  ///< SSE2
  v2,        ///< SSSE3, SSE4.2, POPCNT
  v3,        ///< AVX2, BMI1, BMI2
  v4,        ///< AVX-512: F, BW, CD, DQ, VL
};

/// The highest level that this processor has.
[[nodiscard]] CpuLevel machine_cpu_level() noexcept;

/// The level to use: the machine's, or a lower one that `limit_cpu_level` asked for. Thread-safe.
[[nodiscard]] CpuLevel cpu_level() noexcept;

/// From now on, cpu_level() returns at most `most`. For tests, which run each form of a function one after
/// the other; v4 takes the limit away.
void limit_cpu_level(CpuLevel most) noexcept;

}  // namespace akin
