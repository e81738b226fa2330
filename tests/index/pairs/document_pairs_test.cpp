// All pairs and groups of a real store, with ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "index/lmdb/tables/tables.h"
#include "index/store/records.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"
#include "tests/support/stored_postings.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

class DocumentPairs : public StoreTest {
 protected:
  /// "a+b:x" in the order reported.
  std::vector<std::string> pairs(std::uint64_t bound) {
    PairsRequest request;
    request.condition.bound = bound;
    std::vector<std::string> told;
    const auto visit = [&](const DocumentPair& pair) -> Result<void> {
      told.push_back(std::string(pair.a) + "+" + std::string(pair.b) + ":" + std::to_string(pair.overlap.x));
      return {};
    };
    must(must(store_->snapshot())->pairs(request, visit));
    return told;
  }
  std::vector<std::vector<std::string>> groups(std::uint64_t bound) {
    PairsRequest request;
    request.condition.bound = bound;
    std::vector<std::vector<std::string>> told;
    const auto visit = [&](const std::vector<std::string>& ids) -> Result<void> {
      told.push_back(ids);
      return {};
    };
    summary_ = must(must(store_->snapshot())->groups(request, visit));
    return told;
  }
  Errc failure() {
    return must(store_->snapshot())
        ->pairs(PairsRequest(), [](const DocumentPair&) { return Result<void>(); })
        .error()
        .code;
  }
  GroupsSummary summary_;
};

TEST_F(DocumentPairs, FirstIdIsTheSmallerOne) {
  put_all({{"zebra", {1, 2, 3}}, {"ant", {2, 3, 4, 5}}, {"cat", {9}}});
  std::vector<DocumentPair> told;
  const auto visit = [&](const DocumentPair& pair) -> Result<void> {
    EXPECT_EQ(pair.a, "ant");
    EXPECT_EQ(pair.b, "zebra");
    EXPECT_EQ(pair.overlap.containment(), 0.5);
    EXPECT_EQ(pair.overlap.contained(), 2.0 / 3.0);
    told.push_back(pair);
    return {};
  };
  const PairsSummary summary = must(must(store_->snapshot())->pairs(PairsRequest(), visit));
  EXPECT_EQ(summary.pairs, 1U);
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(DocumentPairs, EmptyStoreHasNone) {
  EXPECT_THAT(pairs(0), IsEmpty());
  EXPECT_THAT(groups(0), IsEmpty());
}

TEST_F(DocumentPairs, RemovedAndReplacedDocumentsHaveNone) {
  put_all({{"a", {1, 2}}, {"b", {1, 2}}, {"c", {1, 2}}});
  erase({"b"});
  put("c", {3});
  EXPECT_THAT(pairs(0), IsEmpty());
  put("d", {1, 3});
  EXPECT_THAT(pairs(0), ElementsAre("a+d:1", "c+d:1"));
}

TEST_F(DocumentPairs, AgreeWithTheDefinitionOverRandomDocuments) {
  open_without_waiting_for_the_disk();
  RandomValues random(5, 2000, 0x9e3779b97f4a7c15);
  std::map<std::string, Values> documents;
  for (int i = 0; i < 300; ++i) documents[numbered("d", random.below(1000))] = random.values(60);
  put_all({documents.begin(), documents.end()});
  for (const std::uint64_t bound : {0U, 3U, 8U}) {
    std::vector<std::string> expected;
    for (auto a = documents.begin(); a != documents.end(); ++a) {
      for (auto b = std::next(a); b != documents.end(); ++b) {
        const std::uint64_t x = naive_x(a->second, b->second);
        if (x > bound) expected.push_back(a->first + "+" + b->first + ":" + std::to_string(x));
      }
    }
    EXPECT_THAT(pairs(bound), UnorderedElementsAreArray(expected));
  }
}

TEST_F(DocumentPairs, GoOnFromEveryNumberReached) {
  open_without_waiting_for_the_disk();
  RandomValues random(6, 2000, 0x9e3779b97f4a7c15);
  std::map<std::string, Values> documents;
  for (int i = 0; i < 200; ++i) documents[numbered("d", random.below(1000))] = random.values(60);
  put_all({documents.begin(), documents.end()});
  erase({documents.begin()->first, documents.rbegin()->first});
  const auto told_by = [this](const PairsRequest& request, std::vector<std::string>& told) {
    must(must(store_->snapshot())->pairs(request, [&](const DocumentPair& pair) -> Result<void> {
      told.push_back(std::string(pair.a) + "+" + std::string(pair.b));
      return {};
    }));
  };
  PairsRequest request;
  request.memory = 1 << 20;
  request.threads = 2;
  std::vector<std::string> all;
  std::vector<std::pair<std::uint32_t, std::size_t>> stops;
  request.reached = [&](std::uint32_t number) -> Result<void> {
    stops.emplace_back(number, all.size());
    return {};
  };
  told_by(request, all);
  EXPECT_GT(all.size(), 100U);
  ASSERT_GE(stops.size(), 5U);
  request.reached = nullptr;
  for (const auto& [number, before] : stops) {
    request.first = number;
    std::vector<std::string> rest;
    told_by(request, rest);
    EXPECT_EQ(rest, std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(before), all.end()))
        << "from " << number;
  }
}

TEST_F(DocumentPairs, GroupsJoinThroughOthers) {
  put_all({{"e", {1, 2}},
           {"a", {2, 3}},
           {"c", {3, 4}},
           {"lone", {100}},
           {"y", {50, 51}},
           {"x", {50, 51}},
           {"q", {60}},
           {"p", {60}}});
  EXPECT_THAT(groups(0),
              ElementsAre(ElementsAre("a", "c", "e"), ElementsAre("p", "q"), ElementsAre("x", "y")));
  EXPECT_EQ(summary_.groups, 3U);
  EXPECT_EQ(summary_.documents, 7U);
  EXPECT_THAT(groups(1), ElementsAre(ElementsAre("x", "y")));
}

TEST_F(DocumentPairs, StoppedGroupsAreNotTold) {
  put_all({{"a", {1}}, {"b", {1}}});
  std::stop_source stop;
  stop.request_stop();
  PairsRequest request;
  request.stop = stop.get_token();
  const auto summary = must(must(store_->snapshot())->groups(request, [](const auto&) -> Result<void> {
    ADD_FAILURE() << "a group was told";
    return {};
  }));
  EXPECT_FALSE(summary.complete);
}

TEST_F(DocumentPairs, ListsOfManyPagesAreReadWhole) {
  std::vector<std::pair<std::string, Values>> batch;
  for (std::uint64_t i = 0; i < 2000; ++i) batch.emplace_back(numbered("d", i), Values{7, 100 + i});
  put_all(batch);
  put("e", {7, 150});
  EXPECT_THAT(pairs(1), ElementsAre("d50+e:2"));
}

TEST_F(DocumentPairs, RecordThatContradictsThePostingsIsAnError) {
  AKIN_SKIP_UNLESS_LMDB();
  put_all({{"a", {1, 2}}, {"b", {1, 2}}});
  DocumentRecord record;
  record.id = "a";
  record.features = 3;
  overwrite(&Tables::records, document_key(DocNumber{0}), encode_record(record));
  EXPECT_EQ(failure(), Errc::corrupt);
}

TEST_F(DocumentPairs, PostingOfNobodyIsAnError) {
  AKIN_SKIP_UNLESS_LMDB();
  put_all({{"a", {1}}, {"b", {1}}});
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    constexpr Posting kOfNobody{Feature{2}, DocNumber{77}, 1};
    return add_run(txn, tables, {&kOfNobody, 1});
  });
  EXPECT_EQ(failure(), Errc::corrupt);
}

}  // namespace
}  // namespace akin::test
