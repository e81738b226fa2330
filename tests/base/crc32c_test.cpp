#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/cpu_levels.h"

namespace akin {
namespace {

TEST(Crc32c, HasThePublishedValues) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  // RFC 3720, appendix B.4.
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
}

using Crc32cForms = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, Crc32cForms, testing::Values(CpuLevel::baseline, CpuLevel::v2),
                         NameOfCpuLevel());

TEST_P(Crc32cForms, AreThatOfTheTableAtEveryLengthAndPlace) {
  std::mt19937 random(5);
  std::string bytes(100, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (std::size_t at = 0; at < 9; ++at) {
    for (std::size_t length = 0; at + length <= bytes.size(); ++length) {
      const std::string_view part = std::string_view(bytes).substr(at, length);
      EXPECT_EQ(crc32c(part), crc32c_by_table(part)) << at << " " << length;
    }
  }
}

TEST(Crc32c, ContinuesFromTheBytesBefore) { EXPECT_EQ(crc32c("6789", crc32c("12345")), crc32c("123456789")); }

}  // namespace
}  // namespace akin
