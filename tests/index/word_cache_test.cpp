// Words of large texts, packed and kept: always those that reading the text again would give.
#include "index/word_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "index/text_aligner.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

void expect_same(const WordSequence& one, const WordSequence& other) {
  EXPECT_EQ(one.classes, other.classes);
  EXPECT_EQ(one.ranges, other.ranges);
  EXPECT_EQ(one.bytes, other.bytes);
}

TEST(PackedWords, AreTheWordsThatWerePacked) {
  std::mt19937 random(3);
  const auto below = [&random](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  WordSequence words;
  TextRange range, bytes;
  for (int i = 0; i < 50'000; ++i) {
    words.classes.push_back(below(3'000) * 0x9e3779b97f4a7c15U);
    // Columns are read one after the other: places do not always ascend.
    const bool jumps = below(100) == 0;
    range.begin = jumps ? below(1U << 30U) : range.end + below(200);
    range.end = range.begin + (jumps ? below(100'000) : below(40));
    bytes.begin = jumps ? below(1U << 30U) : bytes.end + below(300);
    bytes.end = bytes.begin + (range.end - range.begin) * (1 + below(2)) + below(20) / 19;
    words.ranges.push_back(range);
    words.bytes.push_back(bytes);
  }
  expect_same(PackedWords(words).unpacked(), words);
  expect_same(PackedWords(WordSequence()).unpacked(), WordSequence());
}

class KeptWords : public CatalogTest {
 protected:
  /// A text of at least `bytes` bytes with scripts of one to four bytes a letter, and hyphenated lines.
  static std::string text(const std::string& name, std::size_t bytes = WordCache::kLeastText) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i) {
      text += text_of(name + std::to_string(i), 3) +
              " Съёжившись, ёж naïve ест «груши» \xf0\x9d\x94\x98nter und her-\nüber. 日本語の文。\n\n";
    }
    return text;
  }
  [[nodiscard]] static WordCache::Use use(std::uint64_t texts, std::uint64_t bytes, std::uint64_t hits,
                                          std::uint64_t misses) {
    return {texts, bytes, hits, misses};
  }

  static constexpr std::uint64_t kMuch = std::uint64_t{1} << 30U;
};

TEST_F(KeptWords, AreThoseThatReadingGives) {
  WordCache cache(kMuch);
  const std::string one = text("one");
  const WordSequence words = must(read_words(one, *plain_));
  for (int i = 0; i < 3; ++i) expect_same(must(cache.read(one, *plain_)), words);
  const WordCache::Use kept = cache.use();
  EXPECT_EQ(kept, use(1, kept.bytes, 2, 1));
  EXPECT_LT(kept.bytes, words.classes.size() * 12) << "24 as they are read";
}

TEST_F(KeptWords, OfOneDictionaryAreNotThoseOfAnother) {
  WordCache cache(kMuch);
  const std::string one = text("one");
  for (const auto& dictionary : {plain_, other_, plain_, other_})
    expect_same(must(cache.read(one, *dictionary)), must(read_words(one, *dictionary)));
  EXPECT_EQ(cache.use().texts, 2U);
}

TEST_F(KeptWords, AreNotThoseOfATextThatDiffersInOneLetter) {
  WordCache cache(kMuch);
  std::string one = text("one");
  static_cast<void>(must(cache.read(one, *plain_)));
  one[one.find('n')] = 'm';
  expect_same(must(cache.read(one, *plain_)), must(read_words(one, *plain_)));
}

TEST_F(KeptWords, OfTextsThatWereUsedLeastRecentlyAreDropped) {
  const std::string one = text("one"), two = text("two"), three = text("three");
  WordCache cache(kMuch);
  for (const std::string* const each : {&one, &two, &three})
    static_cast<void>(must(cache.read(*each, *plain_)));
  static_cast<void>(must(cache.read(one, *plain_)));
  cache.set_limit(cache.use().bytes - 1);
  EXPECT_EQ(cache.use().texts, 2U);
  static_cast<void>(must(cache.read(one, *plain_)));
  static_cast<void>(must(cache.read(three, *plain_)));
  EXPECT_EQ(cache.use().hits, 3U);
  static_cast<void>(must(cache.read(two, *plain_)));
  EXPECT_EQ(cache.use().misses, 4U) << "it was the one used least recently";
  EXPECT_EQ(cache.use().texts, 2U);
  cache.set_limit(0);
  EXPECT_EQ(cache.use(), use(0, 0, 3, 4));
}

TEST_F(KeptWords, AreNoneOfShortTextsNorWithoutMemoryForThem) {
  const std::string much = text("one");
  WordCache cache(kMuch), none(0), small(1'000);
  static_cast<void>(must(cache.read(text_of("short", 20), *plain_)));
  EXPECT_EQ(cache.use(), use(0, 0, 0, 0));
  for (WordCache* const each : {&none, &small}) {
    expect_same(must(each->read(much, *plain_)), must(read_words(much, *plain_)));
    EXPECT_EQ(each->use().texts, 0U);
  }
}

TEST_F(KeptWords, AreNoneOfWhatIsNotUtf8) {
  WordCache cache(kMuch);
  const std::string bad = text("one") + "\xff";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(cache.read(bad, *plain_).error().code, Errc::invalid_utf8);
  EXPECT_EQ(cache.use().texts, 0U);
}

TEST_F(KeptWords, AlignTheSame) {
  const std::string stored = text("one") + "Here they quote: " + text_of("quoted", 4);
  const std::string query = "Before. " + text_of("quoted", 4) + " After.";
  const auto aligner = must(TextAligner::of(query, must(read_words(query, *plain_)), plain_));
  const AlignedText expected = must(aligner->align(stored, ChangeDetail::listed));
  ASSERT_FALSE(expected.passages.empty());
  WordCache& cache = WordCache::of_process();
  cache.set_limit(kMuch);
  const std::uint64_t hits = cache.use().hits;
  for (int i = 0; i < 2; ++i) {
    const AlignedText again = must(aligner->align(stored, ChangeDetail::listed));
    ASSERT_EQ(again.passages.size(), expected.passages.size());
    for (std::size_t at = 0; at < again.passages.size(); ++at) {
      EXPECT_EQ(again.passages[at].a, expected.passages[at].a);
      EXPECT_EQ(again.passages[at].b, expected.passages[at].b);
      EXPECT_EQ(again.passages[at].changes, expected.passages[at].changes);
    }
    EXPECT_EQ(again.words.b, expected.words.b);
    EXPECT_EQ(again.words.b_words, expected.words.b_words);
  }
  EXPECT_EQ(cache.use().hits, hits + 1);
  cache.set_limit(0);
}

}  // namespace
}  // namespace akin::test
