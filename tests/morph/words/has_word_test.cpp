// Whether a text has a word, against the scanner.
#include "morph/words/has_word.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/utf8.h"
#include "morph/words/scanner.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin {
namespace {

class NoSentences final : public SentenceSink {
 public:
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::sums; }
  void on_sentence(const Sentence&) override {}
};

bool scan_finds_word(const std::string& text, const Dictionary& dictionary) {
  NoSentences sink;
  const auto summary = scan_text(text, dictionary, sink);
  EXPECT_FALSE(summary.has_error());
  return summary->words > 0;
}

TEST(HasWord, NoTextOfMarksAloneHasOne) {
  for (const char* const text :
       {"", " \n\t", "…", "— — —", "?!", "\u200b\u00ad", "=====\n-----", "´ `", "\u0301"})
    EXPECT_FALSE(has_word(text)) << text;
  for (const char* const text : {"a", "… 1", "я.", "字", "½", "- é -"}) EXPECT_TRUE(has_word(text)) << text;
}

TEST(HasWord, EachCharacterAloneIsAsTheScannerSaysIt) {
  const auto dictionary = tiny_dictionary("word");
  std::uint64_t different = 0;
  for (char32_t c = 0; c < 0x20000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    std::string text;
    append_utf8(text, c);
    if (has_word(text) == scan_finds_word(text, *dictionary)) continue;
    ++different;
    ADD_FAILURE() << "U+" << std::hex << static_cast<std::uint32_t>(c);
    if (different == 20) return;
  }
}

TEST(HasWord, ShortTextsOfAwkwardCharactersAreAsTheScannerSaysIt) {
  const auto dictionary = tiny_dictionary("word");
  constexpr std::u32string_view kCharacters = U" -'´…\u0301\u0338\u200b\u00ad\u2028=≠½㎏\u1160\u3164'\"«.\n";
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto left = random() % 6; left > 0; --left)
      append_utf8(text, kCharacters[random() % kCharacters.size()]);
    EXPECT_EQ(has_word(text), scan_finds_word(text, *dictionary)) << text;
  }
}

}  // namespace
}  // namespace akin
