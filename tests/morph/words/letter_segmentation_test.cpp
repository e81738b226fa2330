// Letters without blanks → words.
#include "morph/words/letter_segmentation.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin {
namespace {

std::string segmented(const Dictionary& dictionary, const std::string& text) {
  const std::u32string letters = to_utf32(text);
  std::vector<std::size_t> begins(letters.size());
  std::iota(begins.begin(), begins.end(), 0U);
  std::string words;
  std::size_t from = 0;
  for (const std::size_t end : segment_letters(dictionary, letters, begins)) {
    words += (words.empty() ? "" : " ") + to_utf8(letters.substr(from, end - from));
    from = end;
  }
  EXPECT_EQ(from, letters.size());
  return words;
}

TEST(LetterSegmentation, LongAndFrequentWordsArePreferred) {
  const auto dictionary = tiny_dictionary(
      "a i in the most amos t gentleman agent leman paused ipa used dress indre ss to get her together и о "
      "ио дом");
  EXPECT_EQ(segmented(*dictionary, "agentleman"), "a gentleman");
  EXPECT_EQ(segmented(*dictionary, "amost"), "a most");
  EXPECT_EQ(segmented(*dictionary, "ipaused"), "i paused");
  EXPECT_EQ(segmented(*dictionary, "indress"), "in dress");
  EXPECT_EQ(segmented(*dictionary, "together"), "together");
  EXPECT_EQ(segmented(*dictionary, "ио"), "и о");
}

TEST(LetterSegmentation, UnknownLettersStayTogether) {
  const auto dictionary = tiny_dictionary("в дом пришел вечером");
  EXPECT_EQ(segmented(*dictionary, "вдомпришелхитклифвечером"), "в дом пришел хитклиф вечером");
  EXPECT_EQ(segmented(*dictionary, "хитклиф"), "хитклиф");
  EXPECT_EQ(segmented(*dictionary, ""), "");
}

TEST(LetterSegmentation, LongTextsAreDividedToTheirEnd) {
  const auto dictionary = tiny_dictionary("слово дело");
  std::string text, expected;
  for (int i = 0; i < 50; ++i) {
    text += "словодело";
    expected += std::string(i > 0 ? " " : "") + "слово дело";
  }
  EXPECT_EQ(segmented(*dictionary, text), expected);
  const std::string unknown(100, 'x');
  EXPECT_GT(segmented(*dictionary, unknown).size(), unknown.size());
}

TEST(LetterSegmentation, CutsOnlyWhereCharactersBegin) {
  const auto dictionary = tiny_dictionary("strass en strasse n");
  const std::u32string letters = U"strassen";
  const std::vector<std::size_t> begins = {0, 1, 2, 3, 4, 6, 7};  // ß is one character
  EXPECT_EQ(segment_letters(*dictionary, letters, begins), (std::vector<std::size_t>{5, 7}));
}

}  // namespace
}  // namespace akin
