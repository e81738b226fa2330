// Features gathered in passes over all postings, against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "index/pg/postings/feature_window.h"
#include "index/pg/store.h"
#include "index/pg/tables/schema.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

/// Postings in rows of their own, packed on several levels, and in blocks.
class Windows : public StoreTest {
 protected:
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

  Windows() {
    put_some(600);
    must(store_->flush_and_merge(false));
    put_some(100);
    for (int i = 0; i < 10; ++i) put_some(1);
  }

  void put_some(std::uint64_t count) {
    std::vector<std::pair<std::string, Values>> batch;
    for (std::uint64_t i = 0; i < count; ++i) {
      Values values{4'001 * kSpread, 4'002 * kSpread, 4'003 * kSpread};  // every document has these
      const Values others = random_.values(80);
      values.insert(values.end(), others.begin(), others.end());
      batch.emplace_back(numbered("d", random_.below(2'000)), values);
      documents_[batch.back().first] = batch.back().second;
    }
    put_all(batch);
  }

  static std::vector<Feature> features_of(const Values& values) {
    std::vector<Feature> features;
    for (const std::uint64_t value : values) features.push_back(Feature{value});
    std::ranges::sort(features);
    features.erase(std::unique(features.begin(), features.end()), features.end());
    return features;
  }

  RandomValues random_{23, 3'000, kSpread};
  Documents documents_;
};

TEST_F(Windows, HaveTheFeaturesOfTheDocumentsThatFollow) {
  const auto store = std::dynamic_pointer_cast<pg::PgStore>(store_);
  const auto connection = must(test_database()->borrow());
  const pg::Rows rows = must(connection->run(
      pg::of_store("SELECT doc, id, postings FROM akin.documents_@ ORDER BY id", store->number())));
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{10'000}, std::uint64_t{1'000'000}}) {
    std::size_t windows = 0;
    for (std::size_t row = 0; row < rows.size() && windows < 5; ++windows) {
      must(pg::begin(*connection));
      pg::FeatureWindow window =
          must(pg::FeatureWindow::read(*connection, store->number(), rows.number(row, 0), most));
      must(pg::commit(*connection));
      std::uint64_t postings = 0;
      const std::size_t first = row;
      for (; row < rows.size() && window.contains(rows.number(row, 0)); ++row) {
        std::vector<Feature> features = *window.take(rows.number(row, 0));
        std::ranges::sort(features);
        ASSERT_EQ(features, features_of(documents_.at(std::string(rows.bytes(row, 1)))));
        postings += features.size();
        EXPECT_FALSE(window.take(rows.number(row, 0)));
      }
      ASSERT_GT(row, first) << "it has the first document";
      EXPECT_TRUE(postings <= most || row == first + 1);
      if (row < rows.size()) {
        EXPECT_GT(postings + static_cast<std::uint64_t>(rows.number(row, 2)), most);
      }
    }
  }
}

TEST_F(Windows, MakeSequencesWholeThatAreReadOneAfterTheOther) {
  const auto snapshot = must(store_->snapshot());
  std::string after;
  std::size_t read = 0;
  for (;;) {
    const std::vector<StoredDocument> page = must(snapshot->list(after, 128));
    if (page.empty()) break;
    for (const DocumentRecord& record : page) {
      const Values& values = documents_.at(record.id);
      ASSERT_EQ(must(snapshot->features(record.id)).hashes, make_sequence(values).hashes) << record.id;
      ++read;
    }
    after = page.back().id;
  }
  EXPECT_EQ(read, stats().documents);
}

TEST_F(Windows, OfANumberThatNoDocumentHasAreEmpty) {
  const auto store = std::dynamic_pointer_cast<pg::PgStore>(store_);
  const auto connection = must(test_database()->borrow());
  must(pg::begin(*connection));
  pg::FeatureWindow window =
      must(pg::FeatureWindow::read(*connection, store->number(), 1'000'000, 1'000'000));
  EXPECT_FALSE(window.contains(1'000'000));
  EXPECT_FALSE(window.take(1'000'000));
}

}  // namespace
}  // namespace akin::test
