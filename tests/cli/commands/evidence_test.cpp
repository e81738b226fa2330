#include "cli/commands/common/evidence.h"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"

namespace akin::cli {
namespace {

/// Code points of one to four bytes, seeded.
std::string mixed_text(std::size_t letters) {
  std::mt19937 random(7);
  constexpr char32_t alphabet[] = {U'a', U'ж', U'€', U'𝄞', U' '};
  std::string text;
  for (std::size_t at = 0; at < letters; ++at) append_utf8(text, alphabet[random() % std::size(alphabet)]);
  return text;
}

TEST(SlicedText, EqualsAWalkFromTheStart) {
  constexpr std::uint32_t letters = 20'000;
  const std::string text = mixed_text(letters);
  const SlicedText sliced(text);
  std::mt19937 random(8);
  std::uniform_int_distribution<std::uint32_t> begins(0, letters + 10);
  std::uniform_int_distribution<std::uint32_t> lengths(0, 9000);
  for (int trial = 0; trial < 500; ++trial) {
    const std::uint32_t begin = begins(random);
    const std::uint32_t end = begin + lengths(random);
    EXPECT_EQ(sliced.slice({begin, end}), slice_code_points(text, begin, end));
  }
}

TEST(SlicedText, EmptyTextHasEmptySlices) { EXPECT_EQ(SlicedText("").slice({0, 5}), ""); }

TEST(SharesLine, TellsBothShares) {
  EXPECT_EQ(shares_line({117, 120, 9800}, "the query"),
            "has 117 of the query's 120 features (97.5 %), which make 1.2 % of its own 9,800");
}

}  // namespace
}  // namespace akin::cli
