#include "base/base64.h"

#include <gtest/gtest.h>

namespace akin {
namespace {

TEST(Base64, GivesBackItsBytesWhateverTheirLength) {
  std::string bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(bytes_of_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(length * 7);
  }
}

TEST(Base64, EncodesAsTheRfcDoes) {
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
}

TEST(Base64, NeedsNoPadding) { EXPECT_EQ(bytes_of_base64("YWJjZA"), "abcd"); }

TEST(Base64, RefusesWhatIsNone) {
  for (const char* wrong : {"a", "ab!=", "abcda", "=abc", "ab=c", " YWJjZA==", "YWJjZA\n"})
    EXPECT_FALSE(bytes_of_base64(wrong)) << wrong;
}

}  // namespace
}  // namespace akin
