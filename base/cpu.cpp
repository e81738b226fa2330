#include "base/cpu.h"

#include <algorithm>
#include <atomic>

namespace akin {
namespace {

std::atomic<CpuLevel> most_level{CpuLevel::v4};

CpuLevel find_level() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("ssse3") || !__builtin_cpu_supports("sse4.2") ||
      !__builtin_cpu_supports("popcnt"))
    return CpuLevel::baseline;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
    return CpuLevel::v2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl"))
    return CpuLevel::v3;
  return CpuLevel::v4;
#else
  return CpuLevel::baseline;
#endif
}

}  // namespace

CpuLevel machine_cpu_level() noexcept {
  static const CpuLevel level = find_level();
  return level;
}

CpuLevel cpu_level() noexcept {
  return std::min(most_level.load(std::memory_order_relaxed), machine_cpu_level());
}

void limit_cpu_level(CpuLevel most) noexcept { most_level.store(most, std::memory_order_relaxed); }

}  // namespace akin
