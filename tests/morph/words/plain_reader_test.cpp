// The plain reader with AVX2 beside the same without, and what it reads beside what Paragraph makes of it.
#include "morph/words/plain_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "morph/words/paragraph.h"
#include "tests/morph/align/passages.h"
#include "tests/support/cpu_levels.h"

namespace akin {
namespace {

constexpr std::size_t kRead = 4000;

auto content_of(const Piece& piece) {
  return std::tuple(piece.begin, piece.end, piece.words, piece.range, piece.byte_begin, piece.byte_end,
                    piece.kind, piece.scripts, piece.part, piece.on_letter, piece.after_hyphen,
                    piece.before_hyphen);
}

std::vector<decltype(content_of(Piece()))> pieces_of(const Window& window) {
  std::vector<decltype(content_of(Piece()))> all;
  for (std::size_t i = 0; i < window.piece_count(); ++i) all.push_back(content_of(window.piece(i)));
  return all;
}

/// A plain word but for its key, of which a spelling may have several.
auto content_of(const QuickWord& word, const WordPlace& place) {
  return std::tuple(word.begin, word.size, place.range(), place.byte_range());
}

std::vector<decltype(content_of(QuickWord(), WordPlace()))> words_of(const Window& window) {
  std::vector<decltype(content_of(QuickWord(), WordPlace()))> all;
  for (std::size_t i = 0; i < window.words().size(); ++i)
    all.push_back(content_of(window.words()[i], window.places()[i]));
  return all;
}

/// How many bytes it read from the begin of the text.
std::uint32_t read_plainly(const std::string& text, Window& window) {
  window.clear();
  window.reserve(kRead + PlainReader::kRoom);
  FoldedReader::Place place;
  PlainReader(text).read(place, kRead, window);
  return place.byte;
}

void expect_alike(const std::string& text) {
  Window with, without;
  const std::uint32_t end = read_plainly(text, with);
  const CpuLimit limit(CpuLevel::baseline);
  ASSERT_EQ(end, read_plainly(text, without)) << text;
  ASSERT_EQ(with.letters(), without.letters()) << text;
  ASSERT_EQ(words_of(with), words_of(without)) << text;
  ASSERT_EQ(pieces_of(with), pieces_of(without)) << text;
}

const std::vector<std::string> kPlainPieces = {
    "слово",      "Ёж",        "и",
    "word",       "a",         "I",
    "größer",     "ß",         "é",
    "Ærøskøbing", "ŽLUŤOUČKÝ", "żółwie",
    "×",          "ŉ",         "tõprẽ",
    "ẽ",          "7",         "19",
    "-",          "-",         "- ",
    " - ",        " -- ",      "’",
    "'",          " ",         " ",
    " ",          " ",         "\n",
    ", ",         ". ",        "«",
    "»",          "—",         "ё",
    "ѝ",          "α",         "превысокомногорассмотрительствующий"};

TEST(PlainReader, ReadsAlikeWithAndWithoutAvx2) {
  if (machine_cpu_level() < CpuLevel::v3) GTEST_SKIP() << "the processor has no AVX2";
  std::mt19937 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = "в ";
    for (std::size_t size = random() % 40; size > 0; --size)
      text += kPlainPieces[random() % kPlainPieces.size()];
    expect_alike(text + " " + std::string(random() % 2 * 80, '*') + " ");
  }
  for (const char* language : {"ru", "en", "de", "uk"}) expect_alike(passage(language));
}

using PlainReaderForms = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, PlainReaderForms, testing::Values(CpuLevel::baseline, CpuLevel::v3),
                         NameOfCpuLevel());

TEST_P(PlainReaderForms, ReadWordsWithHyphensAndApostrophesToTheEnd) {
  for (const std::string text :
       {"кто-то из-за Ростова-на-Дону ", "don’t it's rock-’n’ the dogs’ ",
        "l’Europe d'Artagnan, O’Neill-Smith. ", "он - она -- они ", "сказал ‘да’, и "}) {
    Window window;
    const std::uint32_t end = read_plainly("в " + text + std::string(80, '*') + " x ", window);
    if (text.find("rock") == std::string::npos) {
      EXPECT_GT(end, text.size()) << text;
    } else {
      EXPECT_LT(end, text.size()) << "a hyphen before an apostrophe is left to Paragraph";
    }
  }
}

TEST_P(PlainReaderForms, ReadWordsOfAllLatinLettersToTheEnd) {
  const std::string text =
      "Straße, daß Füße heiß příliš žluťoučký kůň Świętokrzyskie tűzoltó l’été où naïve ";
  Window window;
  EXPECT_GT(read_plainly("в " + text + std::string(80, '*') + " x ", window), text.size());
}

TEST_P(PlainReaderForms, LeaveLongWordsToParagraph) {
  for (const std::string letter : {"ß", "ü", "a", "я"}) {
    std::string text = "в a";
    for (int i = 0; i < 2'000; ++i) text += letter;
    Window window;
    EXPECT_EQ(read_plainly(text + " и " + std::string(80, '*') + " ", window), std::string("в ").size());
  }
}

TEST_P(PlainReaderForms, StopBeforeAWordThatTheyCannotEnd) {
  for (const std::string text :
       {"кто-\nто ", "кто- то ", "кто--то ", "кто-7 ", "d’Артаньян ", "кто-е\u0301то ", "кто’\u0301 ",
        "Straß\u0301e ", "кто’’ ", "кто\u2010то "}) {
    Window window;
    EXPECT_EQ(read_plainly("в " + text + "и ", window), std::string("в ").size()) << text;
  }
}

}  // namespace
}  // namespace akin
