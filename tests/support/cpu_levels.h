// Runs a test once for each form that a function has for a level of the processor.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/cpu.h"

namespace akin {

[[nodiscard]] inline std::string name_of(CpuLevel level) {
  return level == CpuLevel::baseline ? "baseline" : "v" + std::to_string(1 + static_cast<int>(level));
}

/// What a level is known for.
[[nodiscard]] constexpr const char* instructions_of(CpuLevel level) noexcept {
  constexpr const char* kNames[] = {"SSE2", "SSE4.2", "AVX2", "AVX-512"};
  return kNames[static_cast<int>(level)];
}

/// Limits cpu_level() while it lives.
class CpuLimit {
 public:
  explicit CpuLimit(CpuLevel most) noexcept { limit_cpu_level(most); }
  CpuLimit(const CpuLimit&) = delete;
  CpuLimit& operator=(const CpuLimit&) = delete;
  ~CpuLimit() { limit_cpu_level(CpuLevel::v4); }
};

/// A test for each level at which the forms differ; it is skipped only where the processor lacks the level.
class OnCpuLevel : public testing::TestWithParam<CpuLevel> {
 protected:
  void SetUp() override {
    if (GetParam() > machine_cpu_level())
      GTEST_SKIP() << "the processor has no " << instructions_of(GetParam());
    limit_cpu_level(GetParam());
  }
  void TearDown() override { limit_cpu_level(CpuLevel::v4); }
};

struct NameOfCpuLevel {
  std::string operator()(const testing::TestParamInfo<CpuLevel>& info) const { return name_of(info.param); }
};

}  // namespace akin
