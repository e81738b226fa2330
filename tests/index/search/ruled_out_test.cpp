// Candidates that a search rules out by the codes of their words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "base/fair_workers.h"
#include "index/codec/word_codes.h"
#include "index/search/shared_features.h"
#include "index/search/stored_matches.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/store_kind.h"

namespace akin::test {
namespace {

/// A text of so many words, each one of `vocabulary`.
std::string made_text(std::mt19937& random, std::size_t words, unsigned vocabulary) {
  std::string text;
  for (std::size_t at = 0; at < words; ++at) {
    for (unsigned left = static_cast<unsigned>(random() % vocabulary) + 26; left > 0; left /= 26)
      text += static_cast<char>('a' + left % 26);
    text += at % 9 == 8 ? ". " : " ";
  }
  return text;
}

/// Texts that share seeds with a query, but hardly a passage, and one that quotes it.
class ByCodes : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    collection_ = must(catalog_->create("c", std::string(kDefaultScheme)));
    std::mt19937 random(5);
    query_ = made_text(random, 300, 1'000);
    const auto put_text = [&](const std::string& text) {
      put(*collection_, "d" + std::to_string(documents_++), text);
    };
    for (int i = 0; i < 40; ++i) put_text(made_text(random, 200, 1'000));
    for (int i = 0; i < 40; ++i) {
      const std::size_t begin = query_.find(' ', random() % 1'000) + 1;
      const std::string few = query_.substr(begin, query_.find(' ', begin + 10 + random() % 60) - begin);
      put_text(made_text(random, 60, 1'000) + few + " " + made_text(random, 60, 1'000));
    }
    snapshot_ = must(collection_->snapshot());
    features_ = must(collection_->analyze_in(query_, 1));
    aligner_ = must(TextAligner::of(query_, must(read_words(query_, *plain_)), plain_, {},
                                    {features_.ranges, features_.hashes, seed_shape()}));
  }

  [[nodiscard]] std::string kept_of(const StoredDocument& document) const {
    std::string kept;
    must(snapshot_->kept_words(document, [&](std::string_view bytes) -> Result<void> {
      kept = bytes;
      return {};
    }));
    return kept;
  }

  /// All texts that share a seed with the query.
  [[nodiscard]] SearchResult search(RulesOut rules_out) const {
    SearchRequest request;
    request.query = &features_;
    request.tier = 1;
    request.bound = 0;
    request.limit = 1'000;
    request.rules_out = std::move(rules_out);
    return must(snapshot_->search(request));
  }

  [[nodiscard]] std::uint64_t seed_shape() const {
    return collection_->scheme().tiers()[1].scheme->seed_shape();
  }

  static std::set<std::string> ids_of(const SearchResult& result) {
    std::set<std::string> ids;
    for (const Hit& hit : result.hits) ids.insert(hit.document.id);
    return ids;
  }

  std::string query_;
  std::shared_ptr<Collection> collection_;
  std::unique_ptr<Snapshot> snapshot_;
  FeatureSequence features_;
  std::shared_ptr<const TextAligner> aligner_;
  int documents_ = 0;
};

TEST_F(ByCodes, NothingIsLeftOutThatWordsWouldFind) {
  int shared = 0, passed = 0;
  for (int number = 0; number < documents_; ++number) {
    const StoredDocument document = must(snapshot_->find("d" + std::to_string(number))).value();
    const std::string kept = kept_of(document);
    const auto codes = decode_word_codes(kept, *plain_);
    ASSERT_TRUE(codes.has_value());
    const PackedWords words = must(PackedWords::of(must(snapshot_->text(document)), *plain_));
    EXPECT_EQ(codes->size(), words.numbered().size());
    const bool by_words = aligner_->may_share(words), by_codes = aligner_->may_share_by_codes(*codes);
    EXPECT_LE(by_words, by_codes) << number;
    shared += by_words ? 1 : 0;
    passed += by_codes ? 1 : 0;
  }
  EXPECT_GT(shared, 5);
  EXPECT_LT(passed, shared + 5);
}

TEST_F(ByCodes, OtherWordsAroundASeedAreHardlyTakenForSharedOnes) {
  std::mt19937 random(3);
  int only_by_codes = 0;
  for (std::size_t at = 0; at < 200; ++at) {
    const TextRange seed = features_.ranges[at % features_.ranges.size()];  // the text is ASCII
    const std::string text = made_text(random, 80, 1'000) + query_.substr(seed.begin, seed.end - seed.begin) +
                             " " + made_text(random, 80, 1'000);
    const PackedWords words = must(PackedWords::of(text, *plain_));
    std::string codes;
    for (std::size_t word = 0; word < words.numbered().size(); ++word)
      codes += static_cast<char>(code_of(words.numbered()[word]));
    only_by_codes += aligner_->may_share_by_codes(codes) && !aligner_->may_share(words) ? 1 : 0;
  }
  EXPECT_LT(only_by_codes, 8);
}

TEST_F(ByCodes, SeedsHavePlacesBesideACharacterThatIsTwoWords) {
  std::mt19937 random(9);
  const std::string other = made_text(random, 60, 1'000);
  for (const char* const written : {"¾", "8¾", "½ ¾", "1½ ¾¾ ⅔"}) {
    const std::string text = made_text(random, 60, 1'000) + written + " " + made_text(random, 60, 1'000);
    const FeatureSequence features = must(collection_->analyze_in(text, 1));
    const auto aligner = must(TextAligner::of(text, must(read_words(text, *plain_)), plain_, {},
                                              {features.ranges, features.hashes, seed_shape()}));
    EXPECT_FALSE(aligner->may_share(must(PackedWords::of(other, *plain_)))) << written;
    EXPECT_TRUE(aligner->may_share(must(PackedWords::of(text, *plain_)))) << written;
  }
}

TEST_F(ByCodes, TextsThatShareNothingAreCountedAndNotListed) {
  const SearchResult all = search(nullptr);
  const SearchResult some = search(without_passages(*aligner_));
  EXPECT_EQ(some.total, all.total);
  EXPECT_EQ(some.hits.size() + some.ruled_out, all.hits.size());
  EXPECT_GT(some.ruled_out, 3U);
  const std::set<std::string> listed = ids_of(some);
  StoredMatcher matcher(*snapshot_, *aligner_);
  for (Hit hit : all.hits) {
    const bool has_passage = !must(matcher.match(hit))->alignment.passages.empty();
    EXPECT_LE(has_passage, listed.contains(hit.document.id)) << hit.document.id;
  }
}

TEST_F(ByCodes, ManyAreAskedAboutByThreadsTogetherWithTheSameAnswer) {
  std::mt19937 random(11);
  for (std::size_t at = 0; at < 300; ++at) {
    const TextRange seed = features_.ranges[at % features_.ranges.size()];  // the text is ASCII
    put(*collection_, "e" + std::to_string(at),
        made_text(random, 20, 1'000) + query_.substr(seed.begin, seed.end - seed.begin) + " " +
            made_text(random, 20, 1'000));
  }
  snapshot_ = must(collection_->snapshot());
  const RulesOut rules_out = without_passages(*aligner_);
  const SearchResult alone = search(rules_out);
  EXPECT_GT(alone.ruled_out, 200U);
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::thread::id> threads;
  // The first thread that asks waits so long for another one.
  const auto search_with_others = [&](std::chrono::seconds wait) {
    threads.clear();
    std::promise<SearchResult> done;
    FairWorkers workers({.working = 4});
    const auto asked = [&](std::string_view kept, std::span<const Feature> shared) {
      {
        std::unique_lock lock(mutex);
        if (threads.insert(std::this_thread::get_id()).second) {
          changed.notify_all();
          changed.wait_for(lock, wait, [&] { return threads.size() > 1; });
        }
      }
      return rules_out(kept, shared);
    };
    workers.add({.client = "one", .work = [&] { done.set_value(search(asked)); }});
    return done.get_future().get();
  };
  const auto expect_as_alone = [&](const SearchResult& found) {
    EXPECT_EQ(ids_of(found), ids_of(alone));
    EXPECT_EQ(found.total, alone.total);
    EXPECT_EQ(found.ruled_out, alone.ruled_out);
  };
  expect_as_alone(search_with_others(std::chrono::seconds(is_lmdb() ? 30 : 0)));
  EXPECT_EQ(threads.size() > 1, is_lmdb());
  put(*collection_, "later", query_);
  expect_as_alone(search_with_others(std::chrono::seconds(0)));
  EXPECT_EQ(threads.size(), 1U) << "others cannot see what this search sees";
}

TEST_F(ByCodes, ArePassedWithTheFeaturesThatTheTextShares) {
  std::map<std::string, std::set<Feature>> shared_by;  // by what is kept, which differs
  const SearchResult found = search([&](std::string_view kept, std::span<const Feature> shared) {
    shared_by.emplace(kept, std::set<Feature>(shared.begin(), shared.end()));
    return false;
  });
  EXPECT_EQ(shared_by.size(), found.hits.size());
  for (const Hit& hit : found.hits) {
    const FeatureSequence own = must(snapshot_->features_in(hit.document, 1));
    std::set<Feature> expected;
    for (const Feature feature : own.hashes)
      if (std::ranges::count(features_.hashes, feature) > 0) expected.insert(feature);
    const std::set<Feature>& shared = shared_by.at(kept_of(hit.document));
    // An engine that counts by itself does not know them.
    if (!shared.empty()) {
      EXPECT_EQ(shared, expected) << hit.document.id;
    }
  }
}

TEST(SharedFeatures, AreKnownIfTheirCountsAreX) {
  SharedFeatures shared;
  shared.add(DocNumber{7}, Feature{1}, 2);
  shared.add(DocNumber{3}, Feature{1}, 1);
  shared.add(DocNumber{7}, Feature{2}, 1);
  shared.sort();
  EXPECT_THAT(shared.of(7, 3), testing::ElementsAre(Feature{1}, Feature{2}));
  EXPECT_THAT(shared.of(3, 1), testing::ElementsAre(Feature{1}));
  EXPECT_THAT(shared.of(7, 4), testing::IsEmpty()) << "a list that was not read has the fourth";
  EXPECT_THAT(shared.of(4, 1), testing::IsEmpty());
}

TEST_F(ByCodes, CodesOfAnotherDictionaryAreNotUsed) {
  const std::string kept = kept_of(must(snapshot_->find("d0")).value());
  EXPECT_TRUE(decode_word_codes(kept, *plain_));
  EXPECT_FALSE(decode_word_codes(kept, *other_));
}

}  // namespace
}  // namespace akin::test
