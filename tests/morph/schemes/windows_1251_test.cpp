#include "morph/schemes/windows_1251.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

TEST(Windows1251, IsIcusForEveryFoldedLetter) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter* page = ucnv_open("windows-1251", &error);
  ASSERT_TRUE(U_SUCCESS(error));
  ucnv_setSubstChars(page, "?", 1, &error);
  for (char32_t c = 0x20; c < 0x3000; ++c) {
    const CharInfo info = CharTable::instance()[c];
    if (info.composes() || info.folded() != c || info.kind() != CharKind::letter) continue;
    const auto unit = static_cast<UChar>(c);
    char code[4];
    ASSERT_EQ(ucnv_fromUChars(page, code, sizeof code, &unit, 1, &error), 1);
    EXPECT_EQ(windows_1251(c), static_cast<unsigned char>(code[0])) << to_utf8(std::u32string{c});
  }
  EXPECT_EQ(windows_1251(U'\''), 0x27);
  EXPECT_EQ(windows_1251(U'7'), 0x37);
  ucnv_close(page);
}

}  // namespace
}  // namespace akin
