#include "index/search/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Search = StoreTest;

TEST_F(Search, OrdersByXThenByShareOfTheStoredThenById) {
  put_all(
      {{"long", {1, 2, 7, 8, 9}}, {"z", {1, 2, 3}}, {"b", {1, 2, 4}}, {"best", {1, 2, 5, 6, 7, 8, 9, 10}}});
  EXPECT_THAT(found({1, 2, 5}), ElementsAre("best:3", "b:2", "z:2", "long:2"));
}

TEST_F(Search, LimitAndOffsetCutTheListAndTotalCountsAll) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    Values values;
    for (std::uint64_t v = 0; v <= i; ++v) values.push_back(v);
    put(numbered("d", 10 + i), values);
  }
  Values query;
  for (std::uint64_t v = 0; v < 20; ++v) query.push_back(v);
  const std::vector<Hit> all = search(query).hits;
  ASSERT_EQ(all.size(), 20U);
  for (std::uint64_t offset = 0; offset < 22; offset += 3) {
    for (std::uint64_t limit : {0U, 1U, 4U, 100U}) {
      SearchRequest request;
      request.bound = 0;
      request.offset = offset;
      request.limit = limit;
      const SearchResult part = search(query, request);
      EXPECT_EQ(part.total, 20U);
      ASSERT_EQ(part.hits.size(), std::min(limit, offset < 20 ? 20 - offset : 0));
      for (std::size_t i = 0; i < part.hits.size(); ++i) {
        EXPECT_EQ(part.hits[i].document.id, all[offset + i].document.id);
      }
    }
  }
}

TEST_F(Search, OfMoreThanTheLimitListsNoneIfAsked) {
  put_all({{"a", {1}}, {"b", {1}}, {"c", {1}}});
  SearchRequest request;
  request.bound = 0;
  request.all_or_none = true;
  request.limit = 2;
  EXPECT_EQ(search({1}, request).total, 3U);
  EXPECT_THAT(search({1}, request).hits, IsEmpty());
  request.limit = 3;
  EXPECT_EQ(search({1}, request).hits.size(), 3U);
}

TEST_F(Search, OfMoreThanTheLimitCountsOnlyThoseThatItMayList) {
  RandomValues random(7, 4'000, 0x9e3779b97f4a7c15U);
  std::vector<std::pair<std::string, Values>> documents;
  for (int i = 0; i < 3'000; ++i) documents.emplace_back(numbered("d", i), random.values(3));
  put_all(documents);
  for (int i = 0; i < 500; ++i) erase({numbered("d", i)});
  Values query;  // so few postings that sums are kept for the documents that have them alone
  for (std::uint64_t v = 2'000; v < 2'100; ++v) query.push_back(v * 0x9e3779b97f4a7c15U);
  SearchRequest request;
  request.bound = 0;
  for (int i = 500; i < 1'000; ++i) request.exclude.push_back(numbered("d", i));
  const SearchResult all = search(query, request);
  ASSERT_GT(all.total, 40U);
  ASSERT_LT(all.total, 100U);
  request.all_or_none = true;
  for (const std::uint64_t limit : {all.total + 1, all.total, all.total - 1, all.total / 2, all.total / 9}) {
    request.limit = limit;
    const SearchResult found = search(query, request);
    EXPECT_EQ(found.hits.size(), limit >= all.total ? all.total : 0) << limit;
    EXPECT_EQ(found.total > limit, all.total > limit) << limit;
  }
}

TEST_F(Search, HugeLimitAndOffsetDoNotOverflow) {
  put("a", {1});
  SearchRequest request;
  request.bound = 0;
  request.limit = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(search({1}, request).hits.size(), 1U);
  request.offset = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(search({1}, request).hits, IsEmpty());
  request.bound = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(search({1}, request).total, 0U);
}

TEST_F(Search, ForTheBestOnlyGivesWhatTheWholeSearchGivesFirst) {
  RandomValues random(31, 300, 0x9e3779b97f4a7c15U);
  std::vector<std::pair<std::string, Values>> documents;
  for (int i = 0; i < 400; ++i) documents.emplace_back(numbered("d", i), random.values(60));
  put_all(documents);
  erase({"d7", "d8", "d9"});
  for (int round = 0; round < 60; ++round) {
    Values query = random.values(50);
    SearchRequest request;
    request.bound = random.below(3);
    request.limit = 1 + random.below(12);
    request.offset = random.below(3);
    request.exclude = {"d3"};
    const SearchResult whole = search(query, request);
    request.best_only = true;
    const SearchResult best = search(query, request);
    EXPECT_TRUE(whole.counted);
    EXPECT_FALSE(best.counted);
    EXPECT_LE(best.total, whole.total);
    ASSERT_EQ(best.hits.size(), whole.hits.size());
    for (std::size_t i = 0; i < best.hits.size(); ++i) {
      EXPECT_EQ(best.hits[i].document.id, whole.hits[i].document.id);
      EXPECT_EQ(best.hits[i].overlap.x, whole.hits[i].overlap.x);
    }
  }
}

TEST_F(Search, ForTheBestOnlyIsNotMisledByADocumentThatIsLeftOut) {
  // Before the long list of the last feature is read, the copy alone has shown what there is to find.
  put_all({{"copy", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, {"best", {9, 10}}});
  for (int i = 0; i < 20; ++i) put(numbered("d", i), {10});
  SearchRequest request;
  request.bound = 0;
  request.limit = 1;
  request.best_only = true;
  request.exclude = {"copy"};
  const auto best = [&] {
    const SearchResult result = search({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, request);
    return result.hits.empty() ? "" : result.hits[0].document.id;
  };
  EXPECT_EQ(best(), "best");
  request.exclude = {};
  request.accept = [](const DocumentRecord& document) -> Result<bool> { return document.id != "copy"; };
  EXPECT_EQ(best(), "best");
  request.accept = nullptr;
  erase({"copy"});
  EXPECT_EQ(best(), "best");
}

TEST_F(Search, LeavesOutTheExcludedDocument) {
  put_all({{"a", {1, 2}}, {"b", {1}}});
  SearchRequest request;
  request.bound = 0;
  request.exclude = {"a", "unknown", ""};
  const SearchResult result = search({1, 2}, request);
  EXPECT_EQ(result.total, 1U);
  EXPECT_EQ(result.hits.at(0).document.id, "b");
}

TEST_F(Search, CountsOnlyDocumentsThatAreAccepted) {
  put_all({{"a", {1, 2, 3}}, {"b", {1, 2}}, {"c", {1}}, {"d", {9}}});
  SearchRequest request;
  request.bound = 1;
  request.limit = 1;
  std::vector<std::string> asked;
  request.accept = [&](const DocumentRecord& record) -> Result<bool> {
    asked.push_back(record.id);
    return record.id != "a";
  };
  const SearchResult result = search({1, 2, 3}, request);
  EXPECT_EQ(result.total, 1U);
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].document.id, "b");
  EXPECT_THAT(asked, testing::UnorderedElementsAre("a", "b"));
}

TEST_F(Search, EndsWithTheErrorOfWhoAccepts) {
  put("a", {1});
  SearchRequest request;
  request.bound = 0;
  request.accept = [](const DocumentRecord&) -> Result<bool> { return Error{Errc::internal, "", "", ""}; };
  const FeatureSequence query = make_sequence({1});
  request.query = &query;
  EXPECT_EQ(must(store_->snapshot())->search(request).error().code, Errc::internal);
}

TEST_F(Search, EvidenceHasAsManyFeaturesAsX) {
  put("a", {9, 1, 2, 3, 9, 5});
  SearchRequest request;
  request.bound = 0;
  request.evidence = true;
  const SearchResult result = search({1, 2, 3, 5}, request);
  const std::vector<Passage>& passages = result.hits.at(0).passages;
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(passages[0].features + passages[1].features, result.hits[0].overlap.x);
  EXPECT_EQ(passages[0].a, (TextRange{0, 40}));
  EXPECT_EQ(passages[0].b, (TextRange{10, 50}));
}

TEST_F(Search, WithoutEvidenceHasNoPassages) {
  put("a", {1, 2});
  EXPECT_THAT(search({1, 2}).hits.at(0).passages, IsEmpty());
}

TEST_F(Search, MinContainmentThatWasReportedFindsTheSameDocument) {
  for (std::uint64_t size = 1; size <= 40; ++size) {
    Values query(size);
    for (std::uint64_t i = 0; i < size; ++i) query[i] = i;
    for (std::uint64_t x = 1; x <= size; ++x) {
      const double reported = Overlap{x, size, x}.containment();
      EXPECT_EQ(least_overlap(0, reported, size), x);
    }
  }
}

struct LeastRow {
  std::uint64_t bound;
  double containment;
  std::uint64_t features;
  std::uint64_t least;
};

TEST(LeastOverlap, IsTheSmallestXThatSatisfiesBothBounds) {
  const LeastRow rows[] = {
      {0, 0.0, 10, 1},    {3, 0.0, 10, 4},
      {9, 0.0, 10, 10},   {10, 0.0, 10, 11},
      {0, 0.1, 10, 1},    {0, 0.3, 10, 3},
      {0, 0.31, 10, 4},   {5, 0.3, 10, 6},
      {0, 1.0, 10, 10},   {0, 0.7, 10, 7},
      {0, 1.0, 0, 1},     {0, 0.5, 4294967295U, 2147483648U},
      {0, 1e-300, 10, 1}, {0, 1.0, 4294967295U, 4294967295U},
  };
  for (const LeastRow& row : rows) {
    EXPECT_EQ(least_overlap(row.bound, row.containment, row.features), row.least)
        << row.bound << " " << row.containment << " " << row.features;
  }
}

TEST_F(Search, RefusesAContainmentOutsideZeroToOne) {
  for (const double containment : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    const FeatureSequence query = make_sequence({1});
    SearchRequest request;
    request.query = &query;
    request.min_containment = containment;
    EXPECT_EQ(must(store_->snapshot())->search(request).error().code, Errc::invalid_argument);
  }
}

/// One naive search over a model.
std::vector<std::string> naive_search(const std::map<std::string, Values>& model, const Values& query,
                                      std::uint64_t bound, double containment) {
  struct Row {
    std::uint64_t x, size;
    std::string id;
  };
  std::vector<Row> rows;
  for (const auto& [id, values] : model) {
    const std::uint64_t x = naive_x(query, values);
    if (x > bound && static_cast<double>(x) / static_cast<double>(query.size()) >= containment) {
      rows.push_back({x, values.size(), id});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row& l, const Row& r) {
    return std::tuple(r.x, l.size, l.id) < std::tuple(l.x, r.size, r.id);
  });
  std::vector<std::string> result;
  for (const Row& row : rows) result.push_back(row.id + ":" + std::to_string(row.x));
  return result;
}

struct ModelRun {
  const char* name;
  std::uint32_t seed;
  std::uint64_t vocabulary;
  std::uint64_t spread;
};

TEST_F(Search, OfAcceptedDocumentsIsThatOfAStoreWithoutTheOthers) {
  open_without_waiting_for_the_disk();
  RandomValues random(7, 60, 2);
  std::map<std::string, Values> model;
  std::map<std::string, Values> accepted;
  const auto is_accepted = [](const std::string& id) { return (id.back() - '0') % 3 != 0; };
  for (int i = 0; i < 300; ++i) {
    const std::string id = numbered("id", 1000 + i);
    model[id] = random.values(40);
    if (is_accepted(id)) accepted[id] = model[id];
  }
  put_all({model.begin(), model.end()});
  for (int step = 0; step < 60; ++step) {
    const Values query = random.values(50);
    SearchRequest request;
    request.bound = random.below(4);
    request.limit = 1 + random.below(20);
    request.accept = [&](const DocumentRecord& record) -> Result<bool> { return is_accepted(record.id); };
    const std::vector<std::string> expected = naive_search(accepted, query, request.bound, 0);
    for (const bool best_only : {false, true}) {
      request.best_only = best_only;
      const SearchResult result = search(query, request);
      if (!best_only) {
        EXPECT_EQ(result.total, expected.size());
      }
      std::vector<std::string> hits;
      for (const Hit& hit : result.hits)
        hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
      const auto wanted = static_cast<std::ptrdiff_t>(std::min<std::size_t>(request.limit, expected.size()));
      EXPECT_EQ(hits, (std::vector<std::string>(expected.begin(), expected.begin() + wanted)));
    }
  }
}

class SearchAgainstAModel : public StoreTest, public testing::WithParamInterface<ModelRun> {};

TEST_P(SearchAgainstAModel, AgreesWhileDocumentsComeChangeAndGo) {
  open_without_waiting_for_the_disk();
  RandomValues random(GetParam().seed, GetParam().vocabulary, GetParam().spread);
  std::map<std::string, Values> model;
  const auto some_id = [&] { return numbered("id", random.below(40)); };
  for (int step = 0; step < 400; ++step) {
    const std::uint64_t verb = random.below(10);
    if (verb < 5) {
      const std::string id = some_id();
      const Values values = random.values(60);
      EXPECT_EQ(put(id, values), model.contains(id));
      model[id] = values;
    } else if (verb < 6) {
      std::vector<std::pair<std::string, Values>> batch;
      for (std::uint64_t i = random.below(8) + 1; i > 0; --i)
        batch.emplace_back(some_id(), random.values(60));
      put_all(batch);
      for (const auto& [id, values] : batch) model[id] = values;
    } else if (verb < 8) {
      const std::string id = some_id();
      EXPECT_EQ(erase({id}), model.erase(id));
    } else {
      const Values query = random.values(80);
      SearchRequest request;
      request.bound = random.below(6);
      request.min_containment =
          query.empty() ? 0.0
                        : static_cast<double>(random.below(query.size())) / static_cast<double>(query.size());
      request.limit = 1000;
      const SearchResult result = search(query, request);
      std::vector<std::string> hits;
      for (const Hit& hit : result.hits)
        hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
      EXPECT_EQ(hits, naive_search(model, query, request.bound, request.min_containment));
      EXPECT_EQ(result.total, hits.size());
    }
  }
  EXPECT_EQ(stats().documents, model.size());
  EXPECT_THAT(verify(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Runs, SearchAgainstAModel,
                         testing::Values(ModelRun{"many_equal_features", 1, 4, 1},
                                         ModelRun{"features_of_32_bits", 2, 300, 1},
                                         ModelRun{"features_of_64_bits", 3, 300, 0x9e3779b97f4a7c15},
                                         ModelRun{"few_shared", 4, 5000, 0x9e3779b97f4a7c15}),
                         [](const testing::TestParamInfo<ModelRun>& row) { return row.param.name; });

TEST_F(Search, ListsOfManyPagesAreReadWhole) {
  // 3,000 documents share one feature: its list fills several pages.
  std::vector<std::pair<std::string, Values>> batch;
  for (std::uint64_t i = 0; i < 3000; ++i) batch.emplace_back(numbered("d", i), Values{7, 100 + i});
  put_all(batch);
  EXPECT_EQ(search({7}).total, 3000U);
  erase({"d5", "d2999", "d0"});
  EXPECT_EQ(search({7}).total, 2997U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Search, SumsOverFrequentFeaturesAreThoseOfTheDefinition) {
  open_without_waiting_for_the_disk();
  // Each of features 1 … 30 is in a share of the documents between all and a sixtieth, some twice in one.
  RandomValues random(5, 10, 1);
  std::vector<std::pair<std::string, Values>> batch;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    Values values{1000 + i, 5000 + random.below(100)};
    for (std::uint64_t feature = 1; feature <= 30; ++feature)
      for (std::uint64_t times = 1 + random.below(3); times > 0; --times)
        if (random.below(2 * feature) == 0) values.push_back(feature);
    batch.emplace_back(numbered("d", i), values);
  }
  put_all(batch);
  erase({"d3", "d700"});
  put("d5", {1, 2, 3, 3, 30});  // in the postings that have not been packed
  std::map<std::string, Values> model(batch.begin(), batch.end());
  model.erase("d3");
  model.erase("d700");
  model["d5"] = {1, 2, 3, 3, 30};
  for (int round = 0; round < 60; ++round) {
    Values query{1000 + random.below(1500), 5000 + random.below(100)};
    for (std::uint64_t i = random.below(40); i > 0; --i) query.push_back(1 + random.below(30));
    SearchRequest request;
    request.bound = random.below(12);
    request.limit = 2000;
    const std::vector<std::string> expected = naive_search(model, query, request.bound, 0);
    for (const bool best_only : {false, true}) {
      request.best_only = best_only;
      if (best_only) request.limit = 1 + random.below(30);
      std::vector<std::string> hits;
      for (const Hit& hit : search(query, request).hits)
        hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
      const auto wanted = static_cast<std::ptrdiff_t>(std::min<std::size_t>(request.limit, expected.size()));
      ASSERT_EQ(hits, (std::vector<std::string>(expected.begin(), expected.begin() + wanted)));
    }
  }
}

}  // namespace
}  // namespace akin::test
