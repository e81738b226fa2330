// Damaged postings in PostgreSQL: an error with a name wherever they are read, never another answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "index/codec/feature_counts.h"
#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

/// The parameter: a table of packed postings, and the column under which they are packed.
struct PackedTable {
  const char* name;
  const char* group;
};

class DamagedPostings : public StoreTest, public testing::WithParamInterface<PackedTable> {
 protected:
  DamagedPostings() {
    RandomValues random{5, 3'000, 0x9e3779b97f4a7c15};
    std::vector<std::pair<std::string, Values>> documents;
    // Every document has a few features, which are in blocks.
    for (std::uint64_t i = 0; i < 800; ++i) {
      Values values{1, 2, 3, 4, 5};
      const Values others = random.values(60);
      values.insert(values.end(), others.begin(), others.end());
      documents.emplace_back(numbered("d", i), std::move(values));
    }
    for (const auto& [id, values] : documents) all_.insert(all_.end(), values.begin(), values.end());
    some_ = documents[1].second;
    put_all(documents);
  }

  /// "%" becomes the table.
  [[nodiscard]] std::string sql(std::string text) const {
    const std::string table = std::string("akin.") + GetParam().name + "_@";
    for (std::size_t at = 0; (at = text.find('%')) != std::string::npos;) text.replace(at, 1, table);
    return of_store(text, pg::StoreNumber{number_});
  }

  [[nodiscard]] std::int64_t count_rows() const {
    const auto connection = must(test_database()->borrow());
    return must(connection->run(sql("SELECT count(*) FROM %"))).number(0, 0);
  }
  [[nodiscard]] std::string body(std::int64_t row) const {
    const auto connection = must(test_database()->borrow());
    return std::string(must(connection->run(sql(std::string("SELECT body FROM % ORDER BY ") +
                                                GetParam().group + ", body OFFSET $1::bigint LIMIT 1"),
                                            pg::Params().number(row)))
                           .bytes(0, 0));
  }
  /// The store is opened again: it keeps blocks that it has read.
  void replace(const std::string& body, const std::string& by) {
    {
      const auto connection = must(test_database()->borrow());
      ASSERT_EQ(must(connection->run(sql("UPDATE % SET body = $1 WHERE body = $2"),
                                     pg::Params().bytes(by).bytes(body)))
                    .changed(),
                1U);
    }
    open();
  }

  [[nodiscard]] Result<SearchResult> try_search(const Values& query) const {
    const FeatureSequence sequence = make_sequence(query);
    SearchRequest request;
    request.query = &sequence;
    request.bound = 0;
    request.limit = 1'000'000;
    return must(store_->snapshot())->search(request);
  }

  static std::vector<std::string> lines(const SearchResult& result) {
    std::vector<std::string> lines;
    for (const Hit& hit : result.hits) lines.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
    return lines;
  }

  template <class Value>
  static void expect_named(const Result<Value>& answer) {
    ASSERT_TRUE(answer.has_error());
    EXPECT_EQ(answer.error().code, Errc::corrupt) << answer.error().message();
    EXPECT_THAT(answer.error().message(), testing::HasSubstr(GetParam().group));
  }

  Values all_;   ///< of every document: a search for them reads every posting
  Values some_;  ///< of one document
};

TEST_P(DamagedPostings, AreAnErrorAndNeverAnotherAnswer) {
  const std::vector<std::string> expected = found(some_);
  const std::int64_t rows = count_rows();
  ASSERT_GT(rows, 0);
  std::uint64_t errors = 0;
  for (std::int64_t i = 0; i < 20; ++i) {
    const std::string sound = body(i * 7 % rows);
    std::string damaged = sound;
    const auto bit = static_cast<std::size_t>(i * 37) % (damaged.size() * 8);
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_NO_FATAL_FAILURE(replace(sound, damaged));
    const Result<SearchResult> answer = try_search(some_);
    if (answer.has_error()) {
      ++errors;
      EXPECT_EQ(answer.error().code, Errc::corrupt) << answer.error().message();
    } else {
      EXPECT_EQ(lines(*answer), expected);
    }
    ASSERT_NO_FATAL_FAILURE(expect_named(try_search(all_))) << "bit " << bit;
    ASSERT_NO_FATAL_FAILURE(replace(damaged, sound));
  }
  EXPECT_GT(errors, 0U);
  EXPECT_EQ(found(some_), expected);
}

TEST_P(DamagedPostings, AreNamedByWhateverReadsThem) {
  const std::string sound = body(0);
  std::string damaged = sound;
  damaged[0] = static_cast<char>(damaged[0] ^ 4);
  ASSERT_NO_FATAL_FAILURE(replace(sound, damaged));
  const auto snapshot = must(store_->snapshot());
  std::vector<Feature> features;
  for (const FeatureCount& one : count_features(make_sequence(all_).hashes)) features.push_back(one.feature);
  expect_named(snapshot->common_features(features, 10));
  expect_named(snapshot->most_common(10, std::nullopt));
  PairsRequest pairs;
  expect_named(snapshot->pairs(pairs, [](const DocumentPair&) -> Result<void> { return {}; }));
  EXPECT_THAT(verify(), testing::Contains(testing::HasSubstr(GetParam().group)));
  expect_named(store_->flush_and_merge(true));
}

TEST_P(DamagedPostings, SurviveAMergeThatFailsOverThem) {
  const std::vector<std::string> expected = found(some_);
  const std::string sound = body(0);
  std::string damaged = sound;
  damaged[0] = static_cast<char>(damaged[0] ^ 4);
  ASSERT_NO_FATAL_FAILURE(replace(sound, damaged));
  EXPECT_TRUE(store_->flush_and_merge(true).has_error());
  ASSERT_NO_FATAL_FAILURE(replace(damaged, sound));
  EXPECT_EQ(found(some_), expected);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(found(some_), expected);
  EXPECT_EQ(verify(), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Tables, DamagedPostings,
                         testing::Values(PackedTable{"packed_postings", "bucket"},
                                         PackedTable{"frequent_postings", "key"}),
                         [](const testing::TestParamInfo<PackedTable>& table) {
                           return std::string(table.param.group);
                         });

}  // namespace
}  // namespace akin::test
