#include "dict/fold/confusables.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace akin {
namespace {

class Skeletons {
 public:
  Skeletons() : checker_(uspoof_open(&error_)) {}
  ~Skeletons() { uspoof_close(checker_); }
  Skeletons(const Skeletons&) = delete;
  Skeletons& operator=(const Skeletons&) = delete;

  std::string of(char32_t c) {
    char skeleton[64];
    const std::string letter = to_utf8(std::u32string{c});
    const std::int32_t size =
        uspoof_getSkeletonUTF8(checker_, 0, letter.data(), static_cast<std::int32_t>(letter.size()), skeleton,
                               sizeof skeleton, &error_);
    return {skeleton, static_cast<std::size_t>(size)};
  }

 private:
  UErrorCode error_ = U_ZERO_ERROR;
  USpoofChecker* checker_;
};

char32_t upper(char32_t c) { return static_cast<char32_t>(u_toupper(static_cast<UChar32>(c))); }
char32_t lower(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

std::vector<std::pair<char32_t, char32_t>> all_pairs() {
  std::vector<std::pair<char32_t, char32_t>> pairs;
  for (char32_t c = 0; c < 0x20000; ++c) {
    const LookAlike meant = look_alike(c);
    for (const ScriptBits script : {kLatin, kCyrillic, kGreek}) {
      if (meant.in(script) != 0) pairs.emplace_back(c, meant.in(script));
    }
  }
  return pairs;
}

/// Pairs that are alike for a reader though Unicode's file separates small m, k, t … of different scripts:
/// capitals decide.
TEST(Confusables, EveryPairIsOneOfUnicodesInSomeCase) {
  Skeletons skeletons;
  std::vector<std::string> unlike;
  for (const auto& [letter, meant] : all_pairs()) {
    const bool alike = skeletons.of(lower(letter)) == skeletons.of(lower(meant)) ||
                       skeletons.of(upper(letter)) == skeletons.of(upper(meant)) ||
                       skeletons.of(upper(letter)) == skeletons.of(lower(meant)) ||
                       skeletons.of(lower(letter)) == skeletons.of(upper(meant));
    if (!alike) unlike.push_back(to_utf8(std::u32string{letter}) + "~" + to_utf8(std::u32string{meant}));
  }
  EXPECT_EQ(unlike, std::vector<std::string>{});
}

TEST(Confusables, PairsSaidToBeAlikeInBothCasesAre) {
  Skeletons skeletons;
  for (const auto& [letter, meant] : all_pairs()) {
    if (!look_alike(letter).both_cases) continue;
    EXPECT_TRUE(skeletons.of(upper(letter)) == skeletons.of(upper(meant)) ||
                skeletons.of(lower(letter)) == skeletons.of(lower(meant)))
        << to_utf8(std::u32string{letter}) << to_utf8(std::u32string{meant});
  }
}

TEST(Confusables, AimAtLettersOfTheScriptTheyClaim) {
  for (char32_t c = 0; c < 0x20000; ++c) {
    const LookAlike meant = look_alike(c);
    for (const ScriptBits script : {kLatin, kCyrillic, kGreek}) {
      if (meant.in(script) == 0) continue;
      EXPECT_EQ(CharTable::instance()[meant.in(script)].scripts(), script) << to_utf8(std::u32string{c});
      EXPECT_NE(CharTable::instance()[c].scripts(), script) << to_utf8(std::u32string{c});
    }
  }
}

TEST(Confusables, RowsAreFoldedLetters) {
  for (const auto& [letter, meant] : all_pairs()) {
    EXPECT_EQ(CharTable::instance()[letter].folded(), letter) << to_utf8(std::u32string{letter});
    EXPECT_EQ(CharTable::instance()[meant].folded(), meant) << to_utf8(std::u32string{meant});
  }
}

}  // namespace
}  // namespace akin
