#include "base/text_codec.h"

#include <gtest/gtest.h>

#include <string>

#include "base/cyrillic_text.h"

namespace akin {
namespace {

const std::string kEnglish =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of "
    "foolishness.\n";
const std::string kRussian =
    "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.\n";
const std::string kGerman =
    "Als Gregor Samsa eines Morgens aus unruhigen Träumen erwachte, fand er sich in seinem Bett zu einem "
    "ungeheueren Ungeziefer verwandelt.\n";

/// The bytes of a string literal, which may hold NUL.
template <std::size_t size>
std::string bytes(const char (&literal)[size]) {
  return {literal, size - 1};
}

// Stored texts need the dictionaries as they are, for ever.
TEST(TextCodec, ReadsTextsOfItsDictionaries) {
  EXPECT_EQ(decompress_text(
                bytes("\x28\xb5\x2f\xfd\x27\x27\x63\x26\x28\x6e\x65\x01\x00\x63\x81\x03\x0e\xf4\xbf\xaf\x7a"
                      "\x76\xdd\x93\xd5\xed\x19\xd3\xa9\x03\x09\xfc\x3d\x12\x00\xb6\x72\xd6\x22\xd2\xf9\x1a"
                      "\x00\xc0\x34\x2e\xec\x3c\xc7\xbd\x04\xab\xec\xc9\xa1\x83\x2d\x58\x06\x5f\xb0"),
                kEnglish.size()),
            kEnglish);
  EXPECT_EQ(decompress_text(
                bytes("\x01\x28\xb5\x2f\xfd\x27\x81\x21\x9f\x4d\x5c\x8d\x01\x00\x03\x42\x05\x0e\x54\x61\x3f"
                      "\x9b\x22\x4f\xad\x05\xfb\xe2\x76\xf1\x8b\x5b\xb0\xe7\x76\xd5\xd3\x24\x08\xfc\xa6\xc3"
                      "\xd6\x88\xa7\xfa\x69\x4a\x42\x3d\xcc\x8c\x85\xa3\x80\x3f\x52\x05\x69\xbe\x6e\x05\x08"
                      "\x17\xac\x71\x87"),
                kRussian.size()),
            kRussian);
}

TEST(TextCodec, MakesShortEnglishAndRussianTextsSmallerThanAFrameAlone) {
  std::string packed;
  ASSERT_TRUE(pack_cyrillic(kRussian, packed));
  EXPECT_LT(compress_text(kEnglish)->size(), compress_bytes(kEnglish)->size() * 9 / 10);
  EXPECT_LT(compress_text(kRussian)->size(), compress_bytes(packed)->size() * 9 / 10);
}

TEST(TextCodec, CompressesTextsInOtherLanguagesAlone) {
  EXPECT_EQ(*compress_text(kGerman), *compress_bytes(kGerman, true));
}

TEST(TextCodec, RefusesAFrameOfAnUnknownDictionary) {
  std::string frame = *compress_text(kEnglish);
  constexpr std::size_t kFirstByteOfId = 6;  // after the magic number, the descriptor and the content size
  frame[kFirstByteOfId] = static_cast<char>(frame[kFirstByteOfId] ^ 1);
  EXPECT_FALSE(decompress_text(frame, kEnglish.size()));
}

}  // namespace
}  // namespace akin
