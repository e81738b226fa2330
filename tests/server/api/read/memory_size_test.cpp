#include "server/api/read/memory_size.h"

#include <gtest/gtest.h>

namespace akin::api {
namespace {

TEST(MemorySize, UnitsArePowersOf1024) {
  EXPECT_EQ(parse_memory_size("1048576").value(), 1048576U);
  EXPECT_EQ(parse_memory_size("2048K").value(), 2097152U);
  EXPECT_EQ(parse_memory_size("512M").value(), 536870912U);
  EXPECT_EQ(parse_memory_size("2G").value(), 2147483648U);
  EXPECT_EQ(parse_memory_size("1T").value(), 1099511627776U);
}

TEST(MemorySize, AnythingElseIsRefused) {
  for (const char* text : {"", "M", "1", "1048575", "1023K", "2T", "1025G", "-1G", "1.5G", "1 G", "1g", "1GB",
                           "1MG", " 1G", "0x10000000", "99999999999999999999", "18446744073709551615T"}) {
    EXPECT_EQ(parse_memory_size(text).error().code, Errc::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace akin::api
