// Words of stored texts, packed and kept: always those that reading the text again would give.
#include "index/search/word_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/hash.h"
#include "index/lmdb/store/store.h"
#include "index/search/stored_matches.h"
#include "index/search/tier_search.h"
#include "morph/align/gram_places.h"
#include "morph/schemes/rolling_hash.h"
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
  const PackedWords packed(words);
  expect_same(packed.unpacked(), words);
  const NumberedWords numbered = packed.numbered();
  ASSERT_EQ(numbered.size(), words.classes.size());
  for (std::size_t i = 0; i < numbered.size(); ++i) ASSERT_EQ(numbered[i], words.classes[i]);
  for (const WordRange stretch :
       {WordRange{0, 0}, {0, 1}, {1023, 1025}, {1024, 1024}, {1024, 2048}, {2000, 9000}, {49'999, 50'000}}) {
    const auto part = [&](const auto& all) {
      return std::decay_t<decltype(all)>(all.begin() + stretch.begin, all.begin() + stretch.end);
    };
    expect_same(packed.unpacked(stretch), {part(words.classes), part(words.ranges), part(words.bytes)});
  }
  expect_same(PackedWords(WordSequence()).unpacked(), WordSequence());
}

TEST(PackedWords, ComeBackFromTheirBytes) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "Word " + std::to_string(i % 700) + " und naïve Wörter. ";
  const auto dictionary = Dictionary::open({}).value();
  const PackedWords words = PackedWords::of(text, *dictionary).value();
  const std::string bytes = words.encode().value();
  const auto back = PackedWords::decode(bytes, text.size());
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->is_same(words));
  EXPECT_FALSE(PackedWords::decode(bytes, back->numbered().size() - 1))
      << "a text has no more words than bytes";
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 40)
    EXPECT_FALSE(PackedWords::decode(std::string_view(bytes).substr(0, size), text.size())) << size;
  const PackedWords none = PackedWords::of("", *dictionary).value();
  EXPECT_TRUE(PackedWords::decode(none.encode().value(), 0)->is_same(none));
}

TEST(PackedWords, OfALongTextKeepTheirGramsOfOneShapeAndTheirSample) {
  WordSequence words;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    words.classes.push_back(mix64(i % 7'000));
    words.ranges.push_back({2 * i, 2 * i + 1});
    words.bytes.push_back({2 * i, 2 * i + 1});
  }
  const PackedWords packed(words);
  const GramPlaces* const grams = packed.grams_of(1);
  ASSERT_NE(grams, nullptr);
  EXPECT_EQ(packed.grams_of(1), grams);
  EXPECT_EQ(packed.grams_of(shape_in_a_row(2)), nullptr);
  EXPECT_EQ(packed.gram_sample(), packed.gram_sample());
  std::vector<std::uint32_t> places;
  grams->for_each(packed.numbered(), sum_of_shape(1, false, [&](std::size_t) { return words.classes[5]; }),
                  [&](std::uint32_t place) {
                    places.push_back(place);
                    return true;
                  });
  EXPECT_THAT(places, testing::ElementsAre(5, 7'005, 14'005));
  for (auto* const each : {&words.ranges, &words.bytes}) each->resize(1'000);
  words.classes.resize(1'000);
  EXPECT_EQ(PackedWords(words).grams_of(1), nullptr);
}

class KeptWords : public CatalogTest {
 protected:
  static constexpr std::uint64_t kMuch = std::uint64_t{1} << 30U;

  /// A text with scripts of one to four bytes a letter, and hyphenated lines.
  static std::string text(const std::string& name, int paragraphs = 20) {
    std::string text;
    for (int i = 0; i < paragraphs; ++i) {
      text += text_of(name + std::to_string(i), 3) +
              " Съёжившись, ёж naïve ест «груши» \xf0\x9d\x94\x98nter und her-\nüber. 日本語の文。\n\n";
    }
    return text;
  }
  [[nodiscard]] static WordCache::Use use(std::uint64_t texts, std::uint64_t bytes, std::uint64_t hits,
                                          std::uint64_t misses) {
    return {texts, bytes, hits, misses};
  }

  void store(const std::string& id, const std::string& text) {
    if (!collection_) collection_ = must(catalog_->create("c", "sentence-pairs"));
    put(*collection_, id, text);
    snapshot_ = must(collection_->snapshot());
  }
  [[nodiscard]] StoredDocument record(const std::string& id) const {
    return must(snapshot_->find(id)).value();
  }
  void expect_right(WordCache& cache, const std::string& id, const Dictionary& dictionary) const {
    StoredText text = must(snapshot_->open_text(record(id)));
    const WordSequence expected = must(read_words(must(text.read()), dictionary));
    expect_same(must(cache.words(*snapshot_, record(id), dictionary))->unpacked(), expected);
    expect_same(must(cache.words(*snapshot_, record(id), text, dictionary))->unpacked(), expected);
  }
  /// Reads once.
  void read(WordCache& cache, const std::string& id) const {
    static_cast<void>(must(cache.words(*snapshot_, record(id), *plain_)));
  }

  std::shared_ptr<Collection> collection_;
  std::unique_ptr<Snapshot> snapshot_;
};

TEST_F(KeptWords, AreThoseThatReadingGives) {
  WordCache cache(kMuch);
  store("one", text("one"));
  for (int i = 0; i < 3; ++i) expect_right(cache, "one", *plain_);
  const WordCache::Use kept = cache.use();
  EXPECT_EQ(kept, use(1, kept.bytes, 5, 1));
}

TEST_F(KeptWords, AreTheSamePackedAsTheyAreReadAndAfterwards) {
  std::string longest;
  for (int i = 0; i < 40; ++i) longest += text("many" + std::to_string(i), 100);
  for (const std::string& read :
       {std::string(), std::string("1"), std::string("a b"), text("one"), longest}) {
    const PackedWords packed = must(PackedWords::of(read, *plain_));
    const WordSequence words = must(read_words(read, *plain_));
    expect_same(packed.unpacked(), words);
    EXPECT_EQ(packed.numbered().size(), words.classes.size());
    EXPECT_EQ(packed.bytes(), PackedWords(words).bytes());
  }
  EXPECT_EQ(PackedWords::of("\xff", *plain_).error().code, Errc::invalid_utf8);
}

TEST_F(KeptWords, OfALongTextAreReadInParts) {
  std::string longest;
  while (longest.size() < (std::size_t{9} << 20U))
    longest += text("long" + std::to_string(longest.size()), 300);
  const PackedWords packed = must(PackedWords::of(longest, *plain_));
  const WordSequence words = must(read_words(longest, *plain_));
  expect_same(packed.unpacked(), words);
  const auto count = static_cast<std::uint32_t>(words.classes.size());
  ASSERT_EQ(packed.numbered().size(), count);
  for (std::uint32_t begin = 0; begin + 3'000 < count; begin += count / 37) {
    const WordSequence stretch = packed.unpacked({begin, begin + 3'000});
    ASSERT_TRUE(std::equal(stretch.ranges.begin(), stretch.ranges.end(), words.ranges.begin() + begin));
    ASSERT_TRUE(std::equal(stretch.bytes.begin(), stretch.bytes.end(), words.bytes.begin() + begin));
  }
}

TEST_F(KeptWords, TakeLittleMemoryOfLongTexts) {
  WordCache cache(kMuch);
  store("one", text("one", 2'000));
  read(cache, "one");
  EXPECT_LT(cache.use().bytes, must(cache.words(*snapshot_, record("one"), *plain_))->numbered().size() * 12)
      << "24 as they are read";
}

TEST_F(KeptWords, OfOneDictionaryAreNotThoseOfAnother) {
  WordCache cache(kMuch);
  store("one", text("one"));
  for (const auto& dictionary : {plain_, other_, plain_, other_}) expect_right(cache, "one", *dictionary);
  EXPECT_EQ(cache.use().texts, 2U);
}

TEST_F(KeptWords, AreNotThoseOfTheDocumentThatWasReplaced) {
  WordCache cache(kMuch);
  for (const char* const name : {"one", "two"}) {
    store("id", text(name));
    expect_right(cache, "id", *plain_);
  }
}

TEST_F(KeptWords, AreNotThoseOfAnotherCollectionsDocument) {
  WordCache cache(kMuch);
  store("id", text("one"));
  expect_right(cache, "id", *plain_);
  // With the same revision, as in a copy whose texts were corrected.
  const auto other = must(LmdbStore::create(folder_.path() / "other", {"sentence-pairs", "fingerprint", ""}));
  const std::string changed = text("two");
  const FeatureSequence features = must(collection_->analyze(changed));
  must(other->put({.record = record("id"), .text = changed, .features = &features}));
  const StoredDocument same = record("id");
  snapshot_ = must(other->snapshot());
  ASSERT_EQ(record("id").revision, same.revision);
  expect_right(cache, "id", *plain_);
}

TEST_F(KeptWords, OfTextsThatWereUsedLeastRecentlyAreDropped) {
  for (const char* const name : {"one", "two", "three"}) store(name, text(name));
  WordCache cache(kMuch);
  for (const char* const name : {"one", "two", "three", "one"}) read(cache, name);
  cache.set_limit(cache.use().bytes - 1);
  EXPECT_EQ(cache.use().texts, 2U);
  read(cache, "one");
  read(cache, "three");
  EXPECT_EQ(cache.use().hits, 3U);
  read(cache, "two");
  EXPECT_EQ(cache.use().misses, 4U) << "it was the one used least recently";
  EXPECT_EQ(cache.use().texts, 2U);
  cache.set_limit(0);
  EXPECT_EQ(cache.use(), use(0, 0, 3, 4));
}

TEST_F(KeptWords, OfCopiesAreShared) {
  for (const char* const name : {"one", "two"}) store(name, text("same"));
  store("other", text("other"));
  WordCache cache(kMuch);
  const auto first = must(cache.words(*snapshot_, record("one"), *plain_));
  WordCache::Series texts{.before = first};
  EXPECT_EQ(must(cache.words(*snapshot_, record("two"), *plain_, &texts)), first);
  EXPECT_EQ(must(cache.words(*snapshot_, record("two"), *plain_)), first);
  EXPECT_NE(must(cache.words(*snapshot_, record("other"), *plain_, &texts)), first);
  for (const char* const name : {"one", "two", "other"}) expect_right(cache, name, *plain_);
}

TEST_F(KeptWords, OfASearchForMoreTextsThanAreKeptAreThereForTheNext) {
  for (int i = 0; i < 12; ++i) store(std::to_string(i), text(std::to_string(i)));
  WordCache cache(kMuch);
  read(cache, "0");
  cache.set_limit(8 * cache.use().bytes + 100);
  const auto search = [&] {
    WordCache::Series texts;
    for (int i = 0; i < 12; ++i)
      static_cast<void>(must(cache.words(*snapshot_, record(std::to_string(i)), *plain_, &texts)));
  };
  search();
  const std::uint64_t before = cache.use().hits;
  search();
  EXPECT_GE(cache.use().hits - before, 4U);
}

TEST_F(KeptWords, AreNoneWithoutMemoryForThem) {
  store("one", text("one"));
  WordCache none(0), small(1'000);
  for (WordCache* const each : {&none, &small}) {
    expect_right(*each, "one", *plain_);
    EXPECT_EQ(each->use().texts, 0U);
  }
}

TEST_F(KeptWords, AreNoneOfDocumentsThatAreNotThere) {
  WordCache cache(kMuch);
  store("one", text("one"));
  StoredDocument gone = record("one");
  ++gone.number;
  EXPECT_EQ(cache.words(*snapshot_, gone, *other_).error().code, Errc::corrupt);
  EXPECT_EQ(cache.use().texts, 0U);
}

/// A text with quotations in its middle, one of them with words left out and put in.
class Quoting : public KeptWords {
 protected:
  void SetUp() override {
    KeptWords::SetUp();
    store("one", text("one") + "Here they quote: " + text_of("quoted", 4) + " Ends. " + text("two") +
                     "Here they quote again: " + text_of("more", 2) + "Insertions." + text_of("less", 2));
    const std::string query = "Before. " + text_of("quoted", 4) + " After. " + text_of("more", 2) +
                              text_of("less", 2) + text("two").substr(0, 3'000);
    aligner_ = must(TextAligner::of(query, must(read_words(query, *plain_)), plain_));
    expected_ = must(aligner_->align(must(snapshot_->text("one")), ChangeDetail::listed));
    ASSERT_GT(expected_.passages.size(), 1U);
  }
  void expect_passages(const std::vector<Passage>& passages) const {
    ASSERT_EQ(passages.size(), expected_.passages.size());
    for (std::size_t at = 0; at < passages.size(); ++at) {
      EXPECT_EQ(passages[at].a, expected_.passages[at].a);
      EXPECT_EQ(passages[at].b, expected_.passages[at].b);
      EXPECT_EQ(passages[at].changes, expected_.passages[at].changes);
    }
  }

  std::shared_ptr<const TextAligner> aligner_;
  AlignedText expected_;
};

TEST_F(Quoting, IsAlignedTheSameByPackedWords) {
  const std::string stored = must(snapshot_->text("one"));
  const PackedWords packed(must(read_words(stored, *plain_)));
  StoredText text(stored);
  const AlignedText again = must(aligner_->align(text, packed, ChangeDetail::listed));
  expect_passages(again.passages);
  ASSERT_EQ(again.changes.size(), expected_.changes.size());
  for (std::size_t at = 0; at < again.changes.size(); ++at) {
    ASSERT_EQ(again.changes[at].size(), expected_.changes[at].size());
    for (std::size_t one = 0; one < again.changes[at].size(); ++one) {
      EXPECT_EQ(again.changes[at][one].kind, expected_.changes[at][one].kind);
      EXPECT_EQ(again.changes[at][one].a, expected_.changes[at][one].a);
      EXPECT_EQ(again.changes[at][one].b, expected_.changes[at][one].b);
    }
  }
}

TEST_F(Quoting, IsAlignedTheSameByKeptWords) {
  WordCache& cache = WordCache::of_process();
  cache.set_limit(kMuch);
  const std::uint64_t hits = cache.use().hits;
  for (int i = 0; i < 2; ++i) {
    Hit hit;
    hit.document = record("one");
    must(StoredMatcher(*snapshot_, *aligner_).match(hit));
    EXPECT_TRUE(hit.passages.empty());
    EXPECT_EQ(hit.words->a, expected_.words.a);
    EXPECT_EQ(hit.words->b_words, expected_.words.b_words);
    must(align_hit(*snapshot_, *aligner_, hit));
    expect_passages(hit.passages);
    EXPECT_EQ(hit.words->b, expected_.words.b);
  }
  EXPECT_EQ(cache.use().hits, hits + 3);
  cache.set_limit(0);
}

}  // namespace
}  // namespace akin::test
