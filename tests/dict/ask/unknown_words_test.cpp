// Words that the table lacks: Hunspell at run time, Snowball by script, the folded spelling.
#include <gtest/gtest.h>

#include <thread>

#include "base/hash.h"
#include "base/utf8.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

constexpr std::string_view kCompounds =
    "SET UTF-8\nCOMPOUNDFLAG c\nCHECKSHARPS\nSFX N Y 1\nSFX N 0 en/c .\nSFX Z Y 1\nSFX Z 0 e .\n";
constexpr std::string_view kNouns = "dampf/c\nschiff/cN\nstraße/cN\nwagen/c\n";

TEST(UnknownWords, CompoundsGetTheStemOfHunspell) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("de", kCompounds, kNouns)}));
  ASSERT_TRUE(dictionary->stats().sources.front().compounds);
  EXPECT_TRUE(knows(*dictionary, "Schiffwagen"));
  EXPECT_EQ(class_of(*dictionary, "wagenschiffen"), "wagenschiff");
  EXPECT_EQ(class_of(*dictionary, "wagenschiff"), "wagenschiff");
  EXPECT_FALSE(knows(*dictionary, "Dampfxxen"));
}

TEST(UnknownWords, CompoundsWithoutAnalysisAreSplitAtTheLongestKnownEnd) {
  TinyDictionaries files;
  // Hunspell accepts begin + end compounds of affixed words, but analyses none of them.
  const auto dictionary = TinyDictionaries::open(files.config(
      {files.write("de",
                   "SET UTF-8\nCOMPOUNDBEGIN x\nCOMPOUNDEND z\nONLYINCOMPOUND o\nCOMPOUNDPERMITFLAG c\n"
                   "SFX j Y 1\nSFX j 0 0/xoc .\nSFX N Y 1\nSFX N 0 n/z .\n",
                   "abend/j\nsonne/zN\nonne/z\n")}));
  EXPECT_TRUE(knows(*dictionary, "abendsonnen"));
  EXPECT_EQ(class_of(*dictionary, "abendsonnen"), "abendsonne");
  EXPECT_EQ(hash_of(*dictionary, "Abendsonne"), hash_of(*dictionary, "abendsonnen"));
}

TEST(UnknownWords, CompoundsAreFoundInEveryCase) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("de", kCompounds, kNouns)}));
  const std::uint64_t hash = hash_of(*dictionary, "schiffwagen");
  EXPECT_EQ(hash_of(*dictionary, "Schiffwagen"), hash);
  EXPECT_EQ(hash_of(*dictionary, "SCHIFFWAGEN"), hash);
}

TEST(UnknownWords, SharpSIsTriedForDoubleS) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("de", kCompounds, kNouns)}));
  EXPECT_TRUE(knows(*dictionary, "wagenstraße"));
  EXPECT_TRUE(knows(*dictionary, "WAGENSTRASSE"));
  EXPECT_EQ(hash_of(*dictionary, "wagenstrasse"), hash_of(*dictionary, "Wagenstraße"));
}

/// Languages, a word, what it is hashed by.
struct SnowballRow {
  std::vector<std::string> languages;
  std::string word, stem;
};
class SnowballStems : public testing::TestWithParam<SnowballRow> {};

TEST_P(SnowballStems, AreChosenByScript) {
  TinyDictionaries files;
  DictionaryConfig config;
  config.cache = files.cache();
  for (const std::string& language : GetParam().languages) {
    config.languages.push_back(files.write(language, "SET UTF-8\n", "x\n").aff.string());
  }
  const auto dictionary = TinyDictionaries::open(config);
  EXPECT_EQ(class_of(*dictionary, GetParam().word), GetParam().stem);
  EXPECT_EQ(hash_of(*dictionary, GetParam().word), word_hash(to_utf32(GetParam().stem)));
  EXPECT_FALSE(knows(*dictionary, GetParam().word));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SnowballStems,
    testing::Values(SnowballRow{{}, "Googling", "googl"},               // nothing configured: English
                    SnowballRow{{}, "гуглили", "гугл"},                 // and Russian
                    SnowballRow{{"uk"}, "гуглили", "гугл"},             // Snowball has no Ukrainian
                    SnowballRow{{"de"}, "gegooglet", "gegooglet"},      //
                    SnowballRow{{"de"}, "Googlungen", "googlung"},      //
                    SnowballRow{{"de", "en"}, "googling", "googl"},     // English before German
                    SnowballRow{{"hu", "fr"}, "googlerions", "googl"},  // French before Hungarian
                    SnowballRow{{}, "გუგლი", "გუგლი"},                  // Georgian has no stemmer
                    SnowballRow{{}, "x25s", "x25s"},                    // digits: as it is spelt
                    SnowballRow{{"el"}, "γκουγκλάρουν", "γκουγκλαρ"}));

TEST(UnknownWords, AnswersDoNotDependOnWhatWasAskedBefore) {
  TinyDictionaries files;
  const auto pair = files.write("de", kCompounds, kNouns);
  const auto fresh = TinyDictionaries::open(files.config({pair}));
  const auto used = TinyDictionaries::open(files.config({pair}));
  const auto word = [](int i) {
    return std::string("wort")
        .append(static_cast<std::size_t>(i % 97), 'a')
        .append(std::string(1, static_cast<char>('b' + i % 19)));
  };
  for (int i = 0; i < 3000; ++i) static_cast<void>(hash_of(*used, word(i)));
  for (int i = 0; i < 3000; i += 37) EXPECT_EQ(hash_of(*used, word(i)), hash_of(*fresh, word(i)));
}

TEST(UnknownWords, MayBeAskedByManyThreads) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("de", kCompounds, kNouns)}));
  const std::uint64_t expected = hash_of(*dictionary, "wagenschiff");
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        if (hash_of(*dictionary, "wagenschiffen") != expected) ++wrong;
        static_cast<void>(
            hash_of(*dictionary, std::string("neu").append(static_cast<std::size_t>(i % 20 + t), 'x')));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace akin::test
