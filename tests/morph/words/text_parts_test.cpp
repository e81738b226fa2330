// Parts of a text: one after the other they are the text.
#include "morph/words/text_parts.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "tests/morph/tiny_dictionary.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

/// All that a sink gets to know, a line for each sentence.
class FullTranscript final : public SentenceSink {
 public:
  explicit FullTranscript(SentenceDetail needs) : needs_(needs) {}
  [[nodiscard]] SentenceDetail needs() const override { return needs_; }
  void on_sentence(const Sentence& sentence) override {
    put(sentence.range);
    text += std::to_string(sentence.hash);
    for (const PlacedClass& word : sentence.classes) {
      put(word.range);
      put(word.bytes);
      text += std::to_string(word.hash);
    }
    for (const Word& word : sentence.words) {
      put(word.range);
      text += std::string(word.source) + std::to_string(word.key);
    }
    text += '\n';
  }
  std::string text;

 private:
  void put(TextRange range) {
    text += ' ' + std::to_string(range.begin) + '-' + std::to_string(range.end) + ' ';
  }
  SentenceDetail needs_;
};

/// Scans a text in parts and as a whole; the number of parts.
std::size_t expect_same(const std::string& text, std::size_t least_bytes) {
  static const auto dictionary = tiny_dictionary("word");
  const TextParts parts = test::must(TextParts::of(text, least_bytes));
  for (const SentenceDetail needs : {SentenceDetail::sums, SentenceDetail::classes, SentenceDetail::words}) {
    FullTranscript whole(needs), joined(needs);
    test::must(scan_text(text, *dictionary, whole));
    for (std::size_t part = 0; part < parts.size(); ++part) parts.scan(part, *dictionary, joined);
    EXPECT_EQ(joined.text, whole.text) << "of " << text;
  }
  return parts.size();
}

TEST(TextParts, BeginWithALetterAfterABlankLine) {
  EXPECT_EQ(expect_same("One two.\n\nThree четыре.\n\n\n\nпять", 1), 3U);
  EXPECT_EQ(expect_same("One two.\n\nThree четыре.\n\n\n\nпять", 12), 2U);
  EXPECT_EQ(expect_same("One\r\ntwo.\r\n\r\nThree.\n \t\nFour\r\rfive", 1), 3U);
  EXPECT_EQ(expect_same("One.\n\n«Two»\n\n— three\n\n\u0301four", 1), 1U) << "marks are no letters";
  EXPECT_EQ(expect_same("One\nline\nafter\nanother", 1), 1U);
  EXPECT_EQ(expect_same("", 1), 1U);
}

TEST(TextParts, HaveTheirPlacesInTheTextAsItArrived) {
  std::string text = "One.\n\n";
  for (int line = 1; line <= 12; ++line)
    text += "слова словно words that were broken into lines at column sixty\n\n";
  text += "Последний абзац.\n\nThe last one.";
  ASSERT_TRUE(Arrangement::of(text)) << "its blank lines are undone";
  EXPECT_GE(expect_same(text, 1), 3U);
}

TEST(TextParts, OfAnyTextAreTheText) {
  const std::string pieces[] = {"\n\n",       "\n\n",   "\n", "\r\n", "\r",    " ",    ". ",     "-\n\n",
                                "\u00ad\n\n", "\u2029", "и́",  "a",    "слово", "Word", "\u200b", "5",
                                "\u0301",     "'",      "— ", "…",    "日本",  "> ",   "[1]"};
  std::mt19937 random(1);
  std::size_t parts = 0;
  for (int i = 0; i < 2'000; ++i) {
    std::string text;
    for (int piece = 0; piece < 60; ++piece) text += pieces[random() % std::size(pieces)];
    parts += expect_same(text, 1 + random() % 40);
  }
  EXPECT_GT(parts, 2'000U) << "texts are divided";
}

TEST(TextParts, RefuseWhatTheScanRefuses) {
  EXPECT_EQ(TextParts::of("\xff", 1).error().code, Errc::invalid_utf8);
}

}  // namespace
}  // namespace akin
