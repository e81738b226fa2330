// What one document shares with a query, found without reading all of the document.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/catalog_fixture.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class SharedFeaturesOfStore : public StoreTest {
 protected:
  /// Of the document and of a query, which has some of its features, some of them more than once.
  void expect_as_read_whole(const std::string& id, const Values& query) {
    const auto snapshot = must(store_->snapshot());
    const FeatureSequence features = make_sequence(query);
    const FeatureSequence stored = must(snapshot->features_in(id, 0));
    const Overlap expected = overlap(features.hashes, stored.hashes);
    const Overlap shared = must(snapshot->overlap_in(must(snapshot->document(id)), 0, features.hashes));
    EXPECT_EQ(shared.x, expected.x);
    EXPECT_EQ(shared.a_features, expected.a_features);
    EXPECT_EQ(shared.b_features, expected.b_features);
    const FeatureSequence beside = must(snapshot->features_beside(must(snapshot->document(id)), 0, features));
    EXPECT_EQ(beside.ranges, stored.ranges);
    ASSERT_EQ(beside.hashes.size(), stored.hashes.size());
    const std::set<Feature> asked(features.hashes.begin(), features.hashes.end());
    for (std::size_t i = 0; i < stored.hashes.size(); ++i) {
      const bool is_shared = asked.contains(stored.hashes[i]);
      ASSERT_EQ(asked.contains(beside.hashes[i]), is_shared) << i;
      ASSERT_TRUE(!is_shared || beside.hashes[i] == stored.hashes[i]) << i;
    }
  }

  Values some_of(const Values& values) {
    Values query{1, 2, 3};
    for (int i = 0; i < 20; ++i) query.push_back(values[random_.below(values.size())]);
    query.push_back(query.back());
    return query;
  }

  /// Each value and its neighbours, which have its leading bits in a stored sequence.
  static Values near(const Values& values) {
    Values query;
    for (const std::uint64_t value : values)
      query.insert(query.end(), {value - 1, value, value & ~std::uint64_t{0xff}, value});
    return query;
  }

  static Values large(std::uint64_t seed) {
    Values values;
    for (std::uint64_t i = 0; i < 20'000; ++i) values.push_back((i % 19'000 + seed) * 0x9e3779b97f4a7c15U);
    return values;
  }

  RandomValues random_{9, 500, 0x9e3779b97f4a7c15};
};

TEST_F(SharedFeaturesOfStore, AreThoseOfTheWholeDocumentWhereverItsPostingsAre) {
  const Values values = large(7);
  put("large", values);
  put("small", {4, 5, 5, 6});
  for (int round = 0; round < 2; ++round) {
    expect_as_read_whole("large", some_of(values));
    expect_as_read_whole("large", {1, 2, 3});
    expect_as_read_whole("large", {});
    expect_as_read_whole("large", large(10'000));
    expect_as_read_whole("small", {5, 5, 5, 6, 9});
    EXPECT_EQ(must(must(store_->snapshot())->features("large")).hashes, make_sequence(values).hashes);
    expect_as_read_whole("large", near(values));
    expect_as_read_whole("large", near(some_of(values)));
    must(store_->flush_and_merge(true));
  }
  const Values replaced = large(9'000);
  put("large", replaced);
  expect_as_read_whole("large", some_of(values));
  expect_as_read_whole("large", some_of(replaced));
}

TEST_F(SharedFeaturesOfStore, OfNoDocumentOrTierAreAnError) {
  put("large", large(1));
  const auto snapshot = must(store_->snapshot());
  const FeatureSequence query = make_sequence({1, 2});
  const StoredDocument large = must(snapshot->document("large"));
  EXPECT_EQ(snapshot->document("none").error().code, Errc::not_found);
  EXPECT_EQ(snapshot->features_in("none", 0).error().code, Errc::not_found);
  EXPECT_EQ(snapshot->overlap_in(large, 1, query.hashes).error().code, Errc::invalid_argument);
  EXPECT_EQ(snapshot->features_beside(large, 1, query).error().code, Errc::invalid_argument);
}

class SharedFeaturesOfCollection : public CatalogTest {};

TEST_F(SharedFeaturesOfCollection, AreThoseOfTheTierOrOfTheVerifyingScheme) {
  for (const char* const scheme :
       {"tiers(pairs=sentence-pairs,words=shingles(w=3))", "sentence-pairs", "supershingles"}) {
    const auto collection = must(catalog_->create("c", scheme));
    std::string text;
    for (int i = 0; i < 300; ++i) text += text_of("part" + std::to_string(i), 5) + " ";
    put(*collection, "a", text);
    const auto snapshot = must(collection->snapshot());
    for (std::size_t tier = 0; tier < std::max<std::size_t>(1, collection->scheme().tiers().size()); ++tier) {
      const FeatureSequence query = must(collection->analyze_in(text_of("part7", 5), tier));
      const FeatureSequence stored = must(snapshot->features_in("a", tier));
      const Overlap shared = must(snapshot->overlap_in(must(snapshot->document("a")), tier, query.hashes));
      EXPECT_EQ(shared.x, overlap(query.hashes, stored.hashes).x) << scheme << ", " << tier;
      EXPECT_EQ(shared.b_features, stored.hashes.size());
      const FeatureSequence beside =
          must(snapshot->features_beside(must(snapshot->document("a")), tier, query));
      EXPECT_EQ(shared_passages(query, beside).size(), shared_passages(query, stored).size());
      EXPECT_GT(shared.x, 0U) << scheme << ", " << tier;
    }
    must(catalog_->drop("c"));
  }
}

}  // namespace
}  // namespace akin::test
