// Long texts as they are sieved for alignment: always the words and places that scanning them gives.
#include "morph/align/sieve.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/text/stretch.h"
#include "morph/text/token_words.h"
#include "morph/text/tokens.h"
#include "passages.h"
#include "tests/experiments/corpora.h"
#include "tiny_dictionary.h"

namespace akin {
namespace {

const Dictionary& sieved_words() {
  static const auto dictionary =
      tiny_dictionary("кто/кого то ба аб абв бв и на но по а b ab/abs ba the of то-то don't well-known");
  return *dictionary;
}

struct ScannedWords final : SentenceSink {
  WordSequence words;
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override {
    for (const PlacedClass& word : sentence.classes) {
      words.classes.push_back(word.hash);
      words.ranges.push_back(word.range);
      words.bytes.push_back(word.bytes);
    }
  }
};

WordSequence scanned(std::string_view text) {
  ScannedWords sink;
  scan_stretch(text, sieved_words(), sink);
  return std::move(sink.words);
}

std::string beginning_of(std::string_view text) { return std::string(slice_code_points(text, 0, 300)); }

/// Expects of a sieved text what scanning it gives, when the words of `query` are A.
class Expectation {
 public:
  Expectation(const std::string& query, const std::string& text)
      : text_(text),
        a_(scanned(query)),
        b_(scanned(text)),
        sieved_(SievedText::of(text, a_.classes, sieved_words())) {}

  void check(std::mt19937& random) {
    ASSERT_TRUE(sieved_) << beginning_of(text_);
    const NumberedWords numbered = sieved_->numbered();
    ASSERT_EQ(numbered.size(), b_.classes.size()) << beginning_of(text_);
    const std::unordered_set<std::uint64_t> classes(a_.classes.begin(), a_.classes.end());
    for (std::size_t i = 0; i < numbered.size(); ++i) {
      const bool in_a = classes.contains(b_.classes[i]);
      ASSERT_EQ(classes.contains(numbered[i]), in_a) << i << " of " << beginning_of(text_);
      if (!in_a) continue;
      ++shared;
      ASSERT_EQ(numbered[i], b_.classes[i]);
    }
    for (int i = 0; i < 8; ++i) {
      const auto all = static_cast<std::uint32_t>(b_.classes.size());
      const auto begin = static_cast<std::uint32_t>(random() % (all + 1));
      check_stretch({begin, begin + static_cast<std::uint32_t>(random() % (all - begin + 1))});
    }
  }

  std::size_t shared = 0;  ///< words of B that A has

 private:
  void check_stretch(WordRange stretch) const {
    const WordSequence read = sieved_->read(stretch, text_, sieved_words());
    const auto part = [&](const auto& all) {
      return std::decay_t<decltype(all)>(all.begin() + stretch.begin, all.begin() + stretch.end);
    };
    ASSERT_EQ(read.classes, part(b_.classes)) << beginning_of(text_);
    ASSERT_EQ(read.ranges, part(b_.ranges));
    ASSERT_EQ(read.bytes, part(b_.bytes));
  }

  const std::string text_;
  const WordSequence a_, b_;
  const std::optional<SievedText> sieved_;
};

std::string random_text(std::mt19937& random, const std::vector<std::string>& pieces, std::size_t size) {
  std::string text;
  for (; size > 0; --size) text += pieces[random() % pieces.size()];
  return text;
}

TEST(Tokens, AreAllThatSeparatorsDivide) {
  std::mt19937 random(5);
  for (int round = 0; round < 2'000; ++round) {
    std::string text;
    const std::size_t size = random() % 400, kinds = 1 + random() % 255;
    for (std::size_t i = 0; i < size; ++i)
      text += random() % 4 == 0 ? static_cast<char>(1 + random() % kinds) : 'a';
    std::vector<std::string> expected, found;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
      if (at < text.size() && !is_separator(static_cast<unsigned char>(text[at]))) continue;
      if (at > begin) expected.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    }
    ASSERT_TRUE(for_each_token(text, [&](const Token& token) {
      EXPECT_EQ(text.substr(token.begin, token.size), token.view());
      found.emplace_back(token.view());
      return true;
    }));
    ASSERT_EQ(found, expected);
  }
}

TEST(Tokens, EndWhereTheyAreNotTaken) {
  int taken = 0;
  EXPECT_FALSE(for_each_token("one two three", [&](const Token&) { return ++taken < 2; }));
  EXPECT_EQ(taken, 2);
}

TEST(Tokens, AreDividedByWhatNeitherMakesWordsNorJoinsThem) {
  for (unsigned byte = 0; byte < 0x80; ++byte) {
    const CharInfo info = CharTable::instance()[byte];
    const CharKind kind = info.kind();
    const bool makes_words = kind == CharKind::letter || kind == CharKind::digit;
    const bool joins = kind == CharKind::hyphen || kind == CharKind::apostrophe;
    EXPECT_EQ(is_separator(static_cast<unsigned char>(byte)), !makes_words && !joins) << byte;
    EXPECT_FALSE(info.composes()) << byte;
    EXPECT_LT(kind, CharKind::soft_hyphen) << byte;
  }
}

TEST(Sieve, AgreesWithTheScannerOnRandomText) {
  const std::vector<std::string> pieces = {"а",
                                           "б",
                                           "кто ",
                                           "кого",
                                           "то",
                                           "то",
                                           "a",
                                           "b",
                                           "ab ",
                                           "abs",
                                           "ё",
                                           "É",
                                           "7",
                                           "漢",
                                           "か",
                                           "\u3099",
                                           "\u0301",
                                           "\u0300",
                                           "\u0308",
                                           "\u00ad",
                                           "\u200b",
                                           "\u202e",
                                           "\u200d",
                                           " ",
                                           " ",
                                           " ",
                                           " ",
                                           " ",
                                           "\n",
                                           "\n",
                                           "\r\n",
                                           "\r",
                                           "\u2028",
                                           "\u2029",
                                           "\u0085",
                                           "\u00a0",
                                           "\t",
                                           "-",
                                           "-",
                                           "--",
                                           "\u2010",
                                           "–",
                                           "—",
                                           "'",
                                           "’",
                                           "´",
                                           "″",
                                           "\"",
                                           "«",
                                           "»",
                                           ".",
                                           ".",
                                           "!",
                                           "?",
                                           "…",
                                           "。",
                                           ",",
                                           "(",
                                           ")",
                                           "*",
                                           "№",
                                           "½",
                                           "ﬁ",
                                           "ß",
                                           "İ",
                                           "한",
                                           "\u11a8",
                                           "ᄒ",
                                           "ᅡ",
                                           "ไ",
                                           "\u0e31",
                                           "😀",
                                           "\ufe0f",
                                           "\ufeff",
                                           "\u037a",
                                           "α",
                                           "\u0345",
                                           "`",
                                           std::string(1, '\0')};
  std::mt19937 random(42);
  std::size_t shared = 0;
  for (int i = 0; i < 20'000; ++i) {
    Expectation expectation(random_text(random, pieces, 20), random_text(random, pieces, random() % 40));
    ASSERT_NO_FATAL_FAILURE(expectation.check(random));
    shared += expectation.shared;
  }
  EXPECT_GT(shared, 10'000U);
}

TEST(Sieve, AgreesWithTheScannerOnAnyCodePoints) {
  std::mt19937 random(44);
  for (int i = 0; i < 10'000; ++i) {
    std::u32string text;
    for (std::size_t size = random() % 24; text.size() < size;) {
      const auto c = static_cast<char32_t>(random() % 4 == 0 ? random() % 0x110000 : random() % 0x3400);
      if (c < 0xd800 || c > 0xdfff) text += c;
      if (random() % 3 == 0) text += std::u32string_view(U" a-\nb'")[random() % 6];
    }
    const std::string utf8 = to_utf8(text);
    ASSERT_NO_FATAL_FAILURE(Expectation("a b", utf8).check(random));
  }
}

/// Texts of many milestones.
TEST(Sieve, AgreesWithTheScannerOnLongRandomText) {
  const std::vector<std::string> pieces = {
      "кто ", "то ", "но ", "по ",       "ab ",     "abs ",   "the ", "of ",   " the-of ", "well-\nknown ",
      " a ",  "b. ", "? ",  "сло\u00ad", "\u0301 ", "don’t ", "“the", "of” ",  "то-то",    "\n\n",
      " - ",  "--",  "на—", "ﬁ ",        "- ",      "´ ",     "’ ",   "\u00a0"};
  std::mt19937 random(43);
  for (int i = 0; i < 60; ++i) {
    Expectation expectation("the of кто abs слотто", random_text(random, pieces, 12'000));
    ASSERT_NO_FATAL_FAILURE(expectation.check(random));
    EXPECT_GT(expectation.shared, 1'000U);
  }
}

TEST(Sieve, AgreesWithTheScannerOnMoreSpellingsThanItRemembers) {
  std::string text, query;
  std::mt19937 random(6);
  for (int i = 0; i < 420'000; ++i) {
    text += 'z' + std::to_string(i);
    text += i % 4 == 0 ? "—" : " ";
    if (i % 1'000 == 0) text += "the of the of ab ";
  }
  for (int i = 300'000; i < 300'020; ++i) query += 'z' + std::to_string(i) + ' ';
  Expectation expectation(query + "the of the of ab", text);
  ASSERT_NO_FATAL_FAILURE(expectation.check(random));
  EXPECT_GT(expectation.shared, 2'000U);
}

TEST(Sieve, GivesUpEarlyWhereBlanksDoNotDivideWords) {
  std::string han, hyphens;
  for (int i = 0; i < 100'000; ++i) han += i % 50 == 0 ? "漢。\n" : "漢";
  for (int i = 0; i < 100'000; ++i) hyphens += "ab- ";
  std::string letters(1'000'000, 'a');
  const std::vector<std::uint64_t> a = scanned("the of").classes;
  for (const std::string* const text : {&han, &hyphens, &letters}) {
    EXPECT_FALSE(SievedText::of(*text, a, sieved_words()));
    EXPECT_FALSE(can_be_sieved(*text, sieved_words()));
  }
  EXPECT_TRUE(SievedText::of("", a, sieved_words()));
  EXPECT_FALSE(can_be_sieved("", sieved_words()));
  std::string prose;
  while (prose.size() < 1'000'000) prose += std::string(passage("uk")) + "\n";
  EXPECT_TRUE(can_be_sieved(prose, sieved_words()));
  EXPECT_FALSE(can_be_sieved(prose + han + han + han, sieved_words()));
}

TEST(Sieve, AgreesWithTheScannerOnRealTexts) {
  std::mt19937 random(7);
  for (const char* const language : {"ru", "en", "de", "uk"}) {
    std::string text;
    while (text.size() < 40'000) text += std::string(passage(language)) + "\n\n";
    ASSERT_NO_FATAL_FAILURE(Expectation(beginning_of(passage(language)), text).check(random));
  }
}

TEST(Sieve, AgreesWithTheScannerOnCorpora) {
  const std::filesystem::path corpora = experiments::corpora_folder();
  if (corpora.empty()) GTEST_SKIP() << "no corpora (AKIN_CORPORA)";
  std::mt19937 random(8);
  for (const char* const folder : {"ru-novels", "en-novels", "other-lang"}) {
    for (const auto& work : experiments::read_works(corpora, folder)) {
      const std::string text(slice_code_points(work.text, 0, 100'000));
      const std::string query(slice_code_points(text, 30'000, 30'300));
      ASSERT_NO_FATAL_FAILURE(Expectation(query, text).check(random)) << work.id;
    }
  }
}

}  // namespace
}  // namespace akin
