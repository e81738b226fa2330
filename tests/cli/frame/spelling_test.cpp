#include "cli/frame/spelling.h"

#include <gtest/gtest.h>

namespace akin::cli {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  struct Row {
    const char* a;
    const char* b;
    std::size_t distance;
  };
  constexpr Row kRows[] = {
      {"", "", 0},
      {"", "abc", 3},
      {"abc", "", 3},
      {"similar", "similar", 0},
      {"simlar", "similar", 1},
      {"similarr", "similar", 1},
      {"simular", "similar", 1},
      {"smiilar", "similar", 1},
      {"ab", "ba", 1},
      {"ca", "abc", 3},
      {"kitten", "sitting", 3},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(edit_distance(row.a, row.b), row.distance) << row.a << " " << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a), row.distance) << row.b << " " << row.a;
  }
}

TEST(DidYouMean, SuggestsTheNearestOfTheCandidates) {
  EXPECT_EQ(did_you_mean("simliar", {"stats", "similar"}), "did you mean 'similar'? ");
  EXPECT_EQ(did_you_mean("cop", {"compact", "copy"}), "did you mean 'copy'? ");
}

TEST(DidYouMean, SuggestsWhatBeginsWithTheWord) {
  EXPECT_EQ(did_you_mean("eval", {"export", "evaluate"}), "did you mean 'evaluate'? ");
  EXPECT_EQ(did_you_mean("ev", {"evaluate"}), "");
  EXPECT_EQ(did_you_mean("--languages", {"--limit", "--lang"}), "did you mean '--lang'? ");
  EXPECT_EQ(did_you_mean("--from", {"--f"}), "");
}

TEST(DidYouMean, SuggestsNothingOverAThirdOfTheLetters) {
  EXPECT_EQ(did_you_mean("abcdef", {"abcdxy"}), "did you mean 'abcdxy'? ");
  EXPECT_EQ(did_you_mean("abcdef", {"abcxyz"}), "");
  EXPECT_EQ(did_you_mean("", {"abcxyz"}), "");
  EXPECT_EQ(did_you_mean("word", {}), "");
}

}  // namespace
}  // namespace akin::cli
