#include "cli/dedup/shared_sentences.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin::dedup {
namespace {

class SharedSentencesTest : public testing::Test {
 protected:
  SentencedWords read(std::string_view text) {
    auto read = read_sentences(text, *dictionary_);
    EXPECT_TRUE(read.has_value());
    return *std::move(read);
  }

  /// "a/A b/B": words of A and B that are shared, and all.
  std::string shared(std::string_view a_text, std::string_view b_text) {
    const SentencedWords a = read(a_text), b = read(b_text);
    const Alignment alignment = Aligner(a.words, {}).align(b.words);
    MatchedWords words;
    words.a_words = a.words.classes.size();
    words.b_words = b.words.classes.size();
    words = with_sentences(words, alignment, equal_sentences(a.sentences, b.sentences));
    return std::to_string(words.a) + "/" + std::to_string(words.a_words) + " " + std::to_string(words.b) +
           "/" + std::to_string(words.b_words);
  }

  const std::shared_ptr<const Dictionary> dictionary_ = tiny_dictionary("cat/cats");
};

TEST_F(SharedSentencesTest, SentencesTileTheWords) {
  const SentencedWords text = read("One two. Three.\n\nFour five six.");
  std::vector<WordRange> ranges;
  for (const SentencePlace& sentence : text.sentences) ranges.push_back(sentence.words);
  EXPECT_EQ(ranges, (std::vector<WordRange>{{0, 2}, {2, 3}, {3, 6}}));
  EXPECT_EQ(text.words.classes.size(), 6U);
  EXPECT_TRUE(read("…").sentences.empty());
}

TEST_F(SharedSentencesTest, ShortSentencesCountInAnyOrder) {
  EXPECT_EQ(
      shared("The cat sat down. It rained all day.", "It rained all day. Down sat the cats. And so on."),
      "8/8 8/11");
  EXPECT_EQ(shared("The cat sat down.", "It rained all day."), "0/4 0/4");
}

TEST_F(SharedSentencesTest, ASentenceIsEqualToOneAtMost) {
  EXPECT_EQ(shared("Yes, yes. No.", "Yes, yes. Yes, yes. Yes, yes."), "2/3 2/6");
  EXPECT_EQ(shared("Yes, yes. Yes, yes.", "Yes, yes."), "2/4 2/2");
}

TEST_F(SharedSentencesTest, WordsOfAPassageCountOnce) {
  const std::string passage =
      "Red orange yellow green blue indigo violet black white grey brown pink silver golden.";
  EXPECT_EQ(shared(passage + " The cat sat.", "The cat sat. " + passage), "17/17 17/17");
}

}  // namespace
}  // namespace akin::dedup
