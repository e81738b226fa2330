#include "base/late_library.h"

#include <gtest/gtest.h>

namespace akin {
namespace {

constexpr const char* kRemedy = "install it";

TEST(LateLibrary, CallsTheFunctionsOfTheLibrary) {
  LateFunction<double(double)> cosine("cos");
  LateFunction<double(double, int)> scale("ldexp");
  ASSERT_TRUE(load_library("libm.so.6", kRemedy, {&cosine, &scale}));
  EXPECT_EQ(cosine(0), 1.0);
  EXPECT_EQ(scale(3, 2), 12.0);
}

TEST(LateLibrary, NamesALibraryThatIsNotInstalled) {
  const auto loaded = load_library("libakin-of-nobody.so.1", kRemedy, {});
  ASSERT_TRUE(loaded.has_error());
  EXPECT_EQ(loaded.error().code, Errc::unsupported);
  EXPECT_EQ(loaded.error().what, "libakin-of-nobody.so.1");
  EXPECT_EQ(loaded.error().remedy, kRemedy);
}

TEST(LateLibrary, NamesAFunctionThatTheLibraryLacks) {
  LateFunction<double(double)> cosine("cos");
  LateFunction<void()> missing("akin_has_no_such_function");
  const auto loaded = load_library("libm.so.6", kRemedy, {&cosine, &missing});
  ASSERT_TRUE(loaded.has_error());
  EXPECT_EQ(loaded.error().code, Errc::unsupported);
  EXPECT_EQ(loaded.error().reason, "it has no function akin_has_no_such_function");
}

}  // namespace
}  // namespace akin
