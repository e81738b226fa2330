// The sweep in vectors of 16 and 32 bytes, and what it must not miss.
#include "morph/normalize/suspicion.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/cpu_levels.h"

namespace akin {
namespace {

bool has_note(const std::string& text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const char next = text[at + 1];
    if (text[at] == '[' && next >= '0' && next <= '9') return true;
    if (text[at] == '\xc2' && (next == '\xb2' || next == '\xb3' || next == '\xb9')) return true;
    if (text[at] == '\xe2' && next == '\x81') return true;
  }
  return false;
}

void expect_what_is_there(const std::string& text, std::size_t (*sweep)(std::string_view, Suspicion&)) {
  Suspicion found;
  const std::size_t left = sweep(text, found);
  ASSERT_LT(left, 32U + kLookAhead);
  // What begins in the part that was swept may end after it.
  const std::string begins = text.substr(0, text.size() - left + (left > 0 ? 1 : 0));
  EXPECT_EQ(found.notes, has_note(begins)) << text;
  EXPECT_EQ(found.overrides,
            text.substr(0, text.size() - left + (left > 1 ? 2 : 0)).find("\u202e") != std::string::npos)
      << text;
  EXPECT_EQ(found.spaced, begins_spaced_letters(text, 0, text.size() - left)) << text;
}

/// The letters of a chain that counts have one size, so each text has one alphabet.
const std::vector<std::string> kSpacedCyrillic = {
    "слово ",         "и ",   "т е к с т ", "т.е.к.с.т.",
    "т е к с ",       "[1]",  "[a]",        "а\u2009б\u2009в\u2009г\u2009д ",
    "а\u00a0б\u00a0", "м²",   "²",          "\u202e",
    "\u2014",         "и в ", ". . . . . "};
const std::vector<std::string> kSpacedLatin = {
    "word ",          "a ",   "t e x t s ", "t.e.x.t.s.",
    "t e x t ",       "[1]",  "[a]",        "a\u2009b\u2009c\u2009d\u2009e ",
    "a\u00a0b\u00a0", "m²",   "²",          "\u202e",
    "\u2014",         "I a ", ". . . . . "};

using SuspicionForms = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, SuspicionForms, testing::Values(CpuLevel::baseline, CpuLevel::v3),
                         NameOfCpuLevel());

TEST_P(SuspicionForms, FindWhatIsThere) {
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto& pieces = i % 2 == 0 ? kSpacedCyrillic : kSpacedLatin;
    std::string text;
    for (std::size_t size = random() % 12; size > 0; --size)
      text += pieces[random() % (random() % 2 == 0 ? 2 : pieces.size())];
    expect_what_is_there(text, SuspicionSweep<Bytes16>::run);
    expect_what_is_there(text, SuspicionSweep<Bytes32>::run);
    const Suspicion all = suspect(text);
    EXPECT_TRUE(all.notes || !has_note(text)) << text;
    EXPECT_TRUE(all.overrides || text.find("\u202e") == std::string::npos) << text;
    EXPECT_TRUE(all.spaced || !begins_spaced_letters(text, 0, text.size())) << text;
  }
}

}  // namespace
}  // namespace akin
