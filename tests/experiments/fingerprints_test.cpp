#include "tests/experiments/fingerprints.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/miller_rabin.hpp>
#include <stdexcept>
#include <string>

namespace akin::experiments {
namespace {

TEST(Fingerprints, CrcsHaveTheirCheckValues) {
  EXPECT_EQ(crc32_of("123456789"), 0xcbf43926U);
  EXPECT_EQ(crc64_of("123456789"), 0x995dc9bbdf1939faU);
}

TEST(Fingerprints, KarpRabinIsAPolynomialModuloTheLargestPrime) {
  using Number = boost::multiprecision::cpp_int;
  for (const unsigned bits : {32U, 40U, 48U, 56U, 64U}) {
    const KarpRabin fingerprint(bits);
    EXPECT_TRUE(boost::multiprecision::miller_rabin_test(Number(fingerprint.prime()), 25));
    for (Number larger = Number(fingerprint.prime()) + 1; larger < (Number(1) << bits); ++larger)
      EXPECT_FALSE(boost::multiprecision::miller_rabin_test(larger, 25)) << bits;
    EXPECT_GE(fingerprint.base(), 256U);
    EXPECT_LT(fingerprint.base(), fingerprint.prime());
    const std::string text = "белая береза под моим окном \xff";
    Number value = 0;
    for (const char byte : text) value = value * fingerprint.base() + static_cast<unsigned char>(byte) + 1;
    EXPECT_EQ(Number(fingerprint.of(text)), value % fingerprint.prime());
    EXPECT_NE(fingerprint.of(""), fingerprint.of(std::string(1, '\0')));
  }
  EXPECT_THROW(KarpRabin(33), std::invalid_argument);
}

TEST(Fingerprints, ThePapersPrimeIsAPrime) {
  EXPECT_TRUE(boost::multiprecision::miller_rabin_test(boost::multiprecision::cpp_int(kPaperPrime), 25));
  EXPECT_LT(KarpRabin::by(kPaperPrime).of("белая береза под"), kPaperPrime);
}

}  // namespace
}  // namespace akin::experiments
