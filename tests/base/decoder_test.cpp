#include "base/decoder.h"

#include <gtest/gtest.h>

namespace akin {
namespace {

TEST(Decoder, GivesUtf8) {
  auto decoder = Decoder::open("windows-1251");
  ASSERT_TRUE(decoder.has_value());
  EXPECT_EQ(decoder->decode("\xcc\xe8\xf0"), "Мир");
  EXPECT_EQ(decoder->decode("\xcc\xe8\xf0 2"), "Мир 2") << "it can be used again";
  EXPECT_EQ(decoder->decode(""), "");
}

TEST(Decoder, ReplacesOrRefusesInvalidBytes) {
  EXPECT_EQ(Decoder::open("shift_jis")->decode("a\x81"), "a\x1a");
  auto strict = Decoder::open("shift_jis", Decoder::Invalid::refused);
  EXPECT_EQ(strict->decode("a\x81"), std::nullopt);
  EXPECT_EQ(strict->decode("a"), "a") << "an error is forgotten";
}

TEST(Decoder, KnowsNoOtherNamesThanIcu) { EXPECT_FALSE(Decoder::open("klingon").has_value()); }

TEST(CharactersOfBytes, AreThoseOfEncodingsOfOneByte) {
  const auto letters = characters_of_bytes("windows-1251");
  ASSERT_TRUE(letters.has_value());
  EXPECT_EQ((*letters)['A'], U'A');
  EXPECT_EQ((*letters)[0xcc], U'М');
  EXPECT_EQ((*characters_of_bytes("ISO-8859-7"))[0xff], kNoCharacter);
  EXPECT_FALSE(characters_of_bytes("UTF-8").has_value());
  EXPECT_FALSE(characters_of_bytes("shift_jis").has_value());
  EXPECT_FALSE(characters_of_bytes("klingon").has_value());
}

}  // namespace
}  // namespace akin
