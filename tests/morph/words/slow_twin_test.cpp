// The scanner against its slow twin (slow_scanner.h).
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "morph/words/scanner.h"
#include "tests/experiments/corpora.h"
#include "tests/morph/align/passages.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/morph/words/slow_scanner.h"
#include "tests/support/sentences.h"

namespace akin {
namespace {

const Dictionary& twin_words() {
  static const auto dictionary = tiny_dictionary("кто то ба аб абв бв и на но по а b ab ba the of то-то");
  return *dictionary;
}

struct Collected final : SentenceSink {
  struct Item {
    TextRange range;
    std::vector<std::pair<TextRange, std::uint64_t>> words;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> sentences;

  void on_sentence(const Sentence& sentence) override {
    Item item{sentence.range, {}};
    for (const Word& word : sentence.words) item.words.emplace_back(word.range, word.key);
    sentences.push_back(std::move(item));
  }
};

/// Sentences as a scheme takes them that needs no words.
struct Sums final : SentenceSink {
  std::vector<std::pair<TextRange, std::uint64_t>> sentences;

  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::sums; }
  void on_sentence(const Sentence& sentence) override {
    EXPECT_TRUE(sentence.words.empty());
    sentences.emplace_back(sentence.range, sentence.hash);
  }
};

/// Sentences as a scheme takes them that needs classes.
struct Classes final : SentenceSink {
  struct Item {
    TextRange range;
    std::uint64_t hash = 0;
    std::vector<std::pair<TextRange, std::uint64_t>> words;
    friend bool operator==(const Item&, const Item&) = default;
  };
  explicit Classes(std::string_view scanned) : text(scanned) {}
  std::string_view text;
  std::vector<Item> sentences;
  bool has_bytes_of_ranges = true;

  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override {
    EXPECT_TRUE(sentence.words.empty());
    Item item{sentence.range, sentence.hash, {}};
    for (const PlacedClass& word : sentence.classes) {
      item.words.emplace_back(word.range, word.hash);
      if (slice_code_points(text, word.range.begin, word.range.end) !=
          text.substr(word.bytes.begin, word.bytes.end - word.bytes.begin))
        has_bytes_of_ranges = false;
    }
    sentences.push_back(std::move(item));
  }
};

/// What Classes is to receive: the slow twin's words, each looked up alone.
std::vector<Classes::Item> slow_classes(const std::vector<slow::Sentence>& sentences) {
  std::vector<Classes::Item> items;
  for (const slow::Sentence& sentence : sentences) {
    Classes::Item item{sentence.range, 0, {}};
    for (const slow::Word& word : sentence.words) {
      item.words.emplace_back(
          word.range, twin_words().classify({word.letters, spelling_key(word.letters), kFoldClean}).hash);
      item.hash += item.words.back().second;
    }
    items.push_back(std::move(item));
  }
  return items;
}

/// What Sums is to receive: the slow twin's words, each looked up alone.
std::vector<std::pair<TextRange, std::uint64_t>> slow_sums(const std::vector<slow::Sentence>& sentences) {
  std::vector<std::pair<TextRange, std::uint64_t>> sums;
  for (const slow::Sentence& sentence : sentences) {
    std::uint64_t sum = 0;
    for (const slow::Word& word : sentence.words)
      sum += twin_words().classify({word.letters, spelling_key(word.letters), kFoldClean}).hash;
    sums.emplace_back(sentence.range, sum);
  }
  return sums;
}

/// Every character by its number.
std::string spelt(const std::string& text) {
  std::ostringstream out;
  out << text << " =" << std::hex;
  for (const char32_t c : to_utf32(text)) out << ' ' << static_cast<std::uint32_t>(c);
  return out.str();
}

/// What Collected is to receive.
std::vector<Collected::Item> slow_items(const std::vector<slow::Sentence>& sentences) {
  std::vector<Collected::Item> items;
  for (const slow::Sentence& sentence : sentences) {
    Collected::Item item{sentence.range, {}};
    for (const slow::Word& word : sentence.words)
      item.words.emplace_back(word.range, spelling_key(word.letters));
    items.push_back(std::move(item));
  }
  return items;
}

testing::AssertionResult agree(const std::string& text) {
  Collected fast;
  const auto summary = scan_text(text, twin_words(), fast);
  if (summary.has_error()) return testing::AssertionFailure() << summary.error().message();
  std::uint64_t alerts = 0;
  const std::vector<slow::Sentence> twin = slow::scan(text, twin_words());
  for (const slow::Sentence& sentence : twin)
    for (const slow::Word& word : sentence.words)
      alerts += (word.zero_width ? 1 : 0) + (word.mixed_script ? 1 : 0);
  const std::vector<Collected::Item> expected = slow_items(twin);
  if (fast.sentences != expected) {
    auto failure = testing::AssertionFailure() << "scanned differently: " << spelt(text) << '\n';
    for (const std::vector<Collected::Item>* side : {&std::as_const(fast.sentences), &expected}) {
      failure << (side == &expected ? "slow:" : "fast:");
      for (const auto& sentence : *side) {
        failure << " [" << sentence.range.begin << ',' << sentence.range.end << ')';
        for (const auto& [range, key] : sentence.words)
          failure << ' ' << range.begin << '-' << range.end << '#' << key % 997;
      }
      failure << '\n';
    }
    return failure;
  }
  // Far from its end, a text is read sixteen letters at a time.
  const std::string longer = text + "\n\n" + std::string(80, '*') + "\n";
  Collected far_from_end;
  if (scan_text(longer, twin_words(), far_from_end).has_error() ||
      (far_from_end.sentences != expected &&
       far_from_end.sentences != slow_items(slow::scan(longer, twin_words()))))
    return testing::AssertionFailure() << "scanned differently far from the end: " << spelt(text);
  if (summary->alert_counts.total() != alerts)
    return testing::AssertionFailure()
           << summary->alert_counts.total() << " alerts, not " << alerts << ": " << spelt(text);
  Sums sums;
  const auto without_words = scan_text(text, twin_words(), sums);
  if (sums.sentences != slow_sums(twin) || without_words->words != summary->words ||
      without_words->sentences != summary->sentences || without_words->alert_counts.total() != alerts ||
      without_words->code_points != summary->code_points)
    return testing::AssertionFailure() << "summed differently: " << spelt(text);
  Classes classes(text);
  const auto with_classes = scan_text(text, twin_words(), classes);
  if (classes.sentences != slow_classes(twin) || !classes.has_bytes_of_ranges ||
      with_classes->words != summary->words || with_classes->sentences != summary->sentences)
    return testing::AssertionFailure() << "classified differently: " << spelt(text);
  const auto ranges = split_sentences(text);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (ranges->at(i) != expected[i].range)
      return testing::AssertionFailure() << "split differently: " << spelt(text);
  }
  return testing::AssertionSuccess();
}

TEST(SlowTwin, AgreesOnRandomText) {
  const std::vector<std::string> pieces = {
      "а",          "б",      "в",      "кто",    "то",     "то",     "a",      "b",      "c",      "ё",
      "É",          "7",      "漢",     "か",     "\u3099", "\u0301", "\u0300", "\u0308", "\u0323", "\u00ad",
      "\u200b",     "\u202e", "\u200d", " ",      " ",      " ",      " ",      "\n",     "\n",     "\r\n",
      "\r",         "\u2028", "\u2029", "\u0085", "\u00a0", "\t",     "-",      "-",      "-",      "\u2010",
      "–",          "—",      "'",      "’",      "´",      "″",      "\"",     "«",      "»",      ".",
      ".",          "!",      "?",      "…",      "。",     ",",      "(",      ")",      "*",      "№",
      "½",          "ﬁ",      "ß",      "İ",      "한",     "\u11a8", "ᄒ",     "ᅡ",     "ไ",      "\u0e31",
      "\U0001f600", "\ufe0f", "\ufeff", "\u037a", "α",      "\u0345"};
  std::mt19937 random(42);
  for (int i = 0; i < 30'000; ++i) {
    std::string text;
    for (std::size_t size = random() % 24; size > 0; --size) text += pieces[random() % pieces.size()];
    ASSERT_TRUE(agree(text));
  }
}

TEST(SlowTwin, AgreesOnLongRandomParagraphs) {
  const std::vector<std::string> pieces = {"абв", "кто", "то", " ",       " ",      " ", "-", "- ",
                                           ", ",  ". ",  "! ", "е\u0301", "\u00ad", "«", "»", "ﬁ"};
  std::mt19937 random(43);
  for (int i = 0; i < 10; ++i) {
    std::string text;
    for (int size = 8000; size > 0; --size) text += pieces[random() % pieces.size()];
    ASSERT_TRUE(agree(text));
  }
}

TEST(SlowTwin, AgreesOnAnyCodePoints) {
  std::mt19937 random(44);
  for (int i = 0; i < 10'000; ++i) {
    std::u32string text;
    for (std::size_t size = random() % 16; text.size() < size;) {
      const auto c = static_cast<char32_t>(random() % 4 == 0 ? random() % 0x110000 : random() % 0x3400);
      if (c < 0xd800 || c > 0xdfff) text += c;
    }
    ASSERT_TRUE(agree(to_utf8(text)));
  }
}

/// Real text with what needs care put in at random: the hand-over between the plain and the careful reader.
TEST(SlowTwin, AgreesOnRealTextsWithRandomInsertions) {
  const std::vector<std::string> pieces = {
      "\u0301", " \u0301", "\u00ad", "\u00ad\n", "\u200b", "-",      "- ",   "-\n",
      "\u2010", "'",       "’",      "´",        "  ",     "\n",     "\n\n", "\r\n",
      "\u2029", "\u00a0",  "…",      "«",        "7",      "漢",     "c",    "о",
      "é",      "ﬁ",       "№",      "\u0308",   "한",     "\u11a8", "ა",    "\U0001f600"};
  std::mt19937 random(45);
  for (int round = 0; round < 60; ++round) {
    const std::string source = passage(std::vector{"ru", "en", "de", "uk"}[random() % 4]);
    const auto every = 2 + random() % 40;
    std::string text;
    for (const char32_t c : to_utf32(source)) {
      if (random() % every == 0) text += pieces[random() % pieces.size()];
      append_utf8(text, c);
    }
    ASSERT_TRUE(agree(text));
  }
}

TEST(SlowTwin, AgreesOnRandomlySpacedLettersAndNotes) {
  const std::vector<std::string> pieces = {
      "а ", "б ", "в ",   "a ",         "к.",        "т.", "о.", "у\u2009", "ж\u2009", "и\u00a0", "п\u00a0",
      "  ", ". ", "кто",  "[1]",        "¹",         "²",  "км", "]",       "'",       "\u0301",  "К ",
      "Т.", "’ ", "т ' ", "к о т о т ", "о.т.о.к.т", "\n", "»",  "[12",     "7"};
  std::mt19937 random(46);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t size = random() % 30; size > 0; --size) text += pieces[random() % pieces.size()];
    ASSERT_TRUE(agree(text));
  }
}

/// Lines of random lengths, indents, numbers and heads: the layouts and what nearly is one.
TEST(SlowTwin, AgreesOnRandomLayouts) {
  std::mt19937 random(47);
  const auto words = [&](std::size_t columns) {
    std::string line;
    while (line.size() < columns)
      line += std::vector{"кто ", "то ", "слово ", "ab, ", "the ", "of "}[random() % 6];
    return line;
  };
  for (int i = 0; i < 3'000; ++i) {
    const std::size_t width = 20 + random() % 80, gap = 1 + random() % 3, style = random() % 8,
                      page_lines = 2 + random() % 12;
    std::string text;
    std::size_t number = random() % 30, page = 7;
    const bool quoted = random() % 8 == 0;
    for (std::size_t line = 0, lines = random() % 60; line < lines; ++line) {
      const bool last = random() % 4 == 0;
      if (quoted && random() % 8 != 0) text += std::vector{"> ", ">", ">> ", "> > "}[random() % 12 / 3];
      if ((style & 1U) != 0 && (style != 3 || line % 5 == 0))
        text += std::string(random() % 3, ' ') + std::to_string(++number) + "  ";
      else if ((style & 2U) != 0 && last)
        text += std::vector{"    ", "\t", "  ", "\u2003\u2003"}[random() % 4];
      text += words(last ? random() % (width * (random() % 16 == 0 ? 8 : 1)) : width - random() % 9);
      text += last ? std::vector{".", "!”", ":", "", "»", "?)", ",", "...", " —", "…»"}[random() % 10] : "";
      text.append(random() % 8 == 0 ? gap + 1 : gap, '\n');
      if ((style & 4U) != 0 && line % page_lines == page_lines - 1) {
        const std::string n = std::to_string(++page);
        text += std::vector<std::string>{n + "\n",
                                         "\n— " + n + " —\nThe head\n",
                                         "The head\t" + n + "\n\n",
                                         "\f" + n + "    The head\n",
                                         "The head\n\n- " + n + " -\n",
                                         "    Title  " + n + "\n"}[random() % (random() % 3 == 0 ? 6 : 2)];
      }
    }
    ASSERT_TRUE(agree(text));
  }
}

TEST(SlowTwin, AgreesOnCorpora) {
  const std::filesystem::path corpora = experiments::corpora_folder();
  if (corpora.empty()) GTEST_SKIP() << "no corpora (AKIN_CORPORA)";
  for (const char* folder : {"ru-novels", "en-novels", "other-lang"}) {
    for (const auto& work : experiments::read_works(corpora, folder)) {
      // Some of the begin, where the layout is richest.
      ASSERT_TRUE(agree(std::string(slice_code_points(work.text, 0, 4'000)))) << work.id;
    }
  }
}

TEST(SlowTwin, AgreesOnRealTexts) {
  for (const char* language : {"ru", "en", "de", "uk"}) EXPECT_TRUE(agree(passage(language)));
}

}  // namespace
}  // namespace akin
