// Matches of stored texts, one after another: those that each text has by itself.
#include "index/search/stored_matches.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/fair_workers.h"
#include "base/waiting.h"
#include "index/search/word_cache.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

class StoredMatches : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    collection_ = must(catalog_->create("c", "sentence-pairs"));
    const std::string quoting = text_of("own", 6) + " " + text_of("quoted", 6);
    for (const char* const id : {"source", "copy"}) put(*collection_, id, quoting);
    put(*collection_, "half", text_of("quoted", 3) + " " + text_of("end", 6));
    put(*collection_, "none", text_of("none", 6));
    snapshot_ = must(collection_->snapshot());
    const std::string query = "Before. " + text_of("quoted", 6) + " After.";
    aligner_ = must(TextAligner::of(query, must(read_words(query, *plain_)), plain_));
  }
  [[nodiscard]] Hit hit(const std::string& id) const {
    Hit hit;
    hit.document = must(snapshot_->find(id)).value();
    return hit;
  }
  /// What the query shares with this text alone.
  [[nodiscard]] TextMatch alone(const std::string& id) const {
    return aligner_->match(*must(WordCache::of_process().words(*snapshot_, hit(id).document, *plain_)));
  }

  std::shared_ptr<Collection> collection_;
  std::unique_ptr<Snapshot> snapshot_;
  std::shared_ptr<const TextAligner> aligner_;
};

TEST_F(StoredMatches, AreThoseOfEachTextAlone) {
  StoredMatcher matcher(*snapshot_, *aligner_);
  for (const char* const id : {"source", "copy", "none", "half", "half", "source", "none", "copy"}) {
    Hit one = hit(id);
    const auto match = must(matcher.match(one));
    EXPECT_EQ(match->alignment.passages, alone(id).alignment.passages) << id;
    EXPECT_EQ(one.words->a, alone(id).words.a) << id;
    EXPECT_EQ(one.words->b_words, alone(id).words.b_words) << id;
  }
}

TEST_F(StoredMatches, OfCopiesAreFoundOnce) {
  StoredMatcher matcher(*snapshot_, *aligner_);
  Hit source = hit("source"), copy = hit("copy"), half = hit("half");
  const auto first = must(matcher.match(source));
  EXPECT_FALSE(first->alignment.passages.empty());
  EXPECT_EQ(must(matcher.match(copy)), first);
  EXPECT_NE(must(matcher.match(half)), first);
}

TEST_F(StoredMatches, OfManyAreThoseOfEachAlone) {
  std::vector<Hit> hits;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "long" + std::to_string(i), own = text_of("own" + std::to_string(i / 2), 200);
    put(*collection_, id, i % 3 == 0 ? own : own + " " + text_of("quoted", 3 + i % 4));
    snapshot_ = must(collection_->snapshot());
    hits.push_back(hit(id));
    hits.push_back(hit(i % 2 == 0 ? "source" : "copy"));
  }
  std::vector<std::shared_ptr<const TextMatch>> matches;
  std::promise<Result<void>> done;
  FairWorkers workers({.working = 4});
  workers.add({.client = "one", .work = [&] {
                 StoredMatcher matcher(*snapshot_, *aligner_);
                 done.set_value(
                     matcher.match_each(hits, [&](Hit& one, std::shared_ptr<const TextMatch> match) {
                       EXPECT_EQ(&one, &hits[matches.size()]);
                       matches.push_back(std::move(match));
                       return Result<void>();
                     }));
               }});
  must(done.get_future().get());
  ASSERT_EQ(matches.size(), hits.size());
  for (std::size_t at = 0; at < hits.size(); ++at) {
    const TextMatch expected = alone(hits[at].document.id);
    EXPECT_EQ(matches[at]->alignment.passages, expected.alignment.passages) << hits[at].document.id;
    EXPECT_EQ(hits[at].words->a, expected.words.a);
    EXPECT_EQ(hits[at].words->b_words, expected.words.b_words);
  }
}

TEST_F(StoredMatches, EndWithTheErrorOfTheVisit) {
  std::vector<Hit> hits{hit("none"), hit("source"), hit("half")};
  std::size_t visits = 0;
  const auto ended =
      StoredMatcher(*snapshot_, *aligner_).match_each(hits, [&](Hit&, const auto&) -> Result<void> {
        if (++visits == 2) return stopped_work();
        return {};
      });
  EXPECT_EQ(ended.error().code, Errc::busy);
  EXPECT_EQ(visits, 2U);
}

TEST_F(StoredMatches, ShowThePassagesThatAligningShows) {
  StoredMatcher matcher(*snapshot_, *aligner_);
  for (const char* const id : {"source", "half", "none"}) {
    Hit kept = hit(id), aligned = hit(id);
    KeptMatches matches;
    matches.keep(kept.document.number, must(matcher.match(kept)));
    must(show_match(*snapshot_, *aligner_, kept, matches.take(kept.document.number)));
    must(show_match(*snapshot_, *aligner_, aligned, nullptr));
    ASSERT_EQ(kept.passages.size(), aligned.passages.size()) << id;
    for (std::size_t at = 0; at < kept.passages.size(); ++at) {
      EXPECT_EQ(kept.passages[at].a, aligned.passages[at].a);
      EXPECT_EQ(kept.passages[at].b, aligned.passages[at].b);
      EXPECT_EQ(kept.passages[at].changes, aligned.passages[at].changes);
    }
    EXPECT_EQ(kept.words->b, aligned.words->b);
  }
}

TEST_F(StoredMatches, AreKeptInBoundedMemory) {
  const auto large = std::make_shared<TextMatch>();
  large->alignment.passages.emplace_back().fragments.resize(100'000);
  KeptMatches matches;
  for (std::uint64_t document = 0; document < 3; ++document) matches.keep(document, large);
  EXPECT_EQ(matches.take(1), large);
  EXPECT_EQ(matches.take(1), nullptr) << "it was taken";
  EXPECT_EQ(matches.take(2), nullptr) << "it did not fit";
}

}  // namespace
}  // namespace akin::test
