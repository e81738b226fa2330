#include "base/cpu.h"

#include <gtest/gtest.h>

#include "tests/support/cpu_levels.h"

namespace akin {
namespace {

TEST(Cpu, HasTheLevelOfTheMachineUnlessLimited) {
  EXPECT_EQ(cpu_level(), machine_cpu_level());
  {
    const CpuLimit limit(CpuLevel::baseline);
    EXPECT_EQ(cpu_level(), CpuLevel::baseline);
  }
  EXPECT_EQ(cpu_level(), machine_cpu_level());
}

TEST(Cpu, ALimitGivesNoLevelThatTheMachineLacks) {
  for (const CpuLevel most : {CpuLevel::baseline, CpuLevel::v2, CpuLevel::v3, CpuLevel::v4}) {
    const CpuLimit limit(most);
    EXPECT_LE(cpu_level(), most);
    EXPECT_LE(cpu_level(), machine_cpu_level());
  }
}

}  // namespace
}  // namespace akin
