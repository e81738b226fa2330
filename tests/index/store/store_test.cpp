#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/codec/encoding.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/packed_block.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Store = StoreTest;

TEST_F(Store, FindsWhatWasPut) {
  put("a", {1, 2, 3});
  put("b", {2, 3, 4});
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:3", "b:2"));
}

TEST_F(Store, BoundMeansMoreThan) {
  put("a", {1, 2, 3});
  EXPECT_THAT(found({1, 2, 3}, 2), ElementsAre("a:3"));
  EXPECT_THAT(found({1, 2, 3}, 3), IsEmpty());
}

TEST_F(Store, PutTellsWhetherItReplaced) {
  EXPECT_FALSE(put("a", {1}));
  EXPECT_TRUE(put("a", {2}));
}

TEST_F(Store, ReplacedDocumentIsFoundByItsNewFeaturesOnly) {
  put("a", {1, 2, 3, 3});
  put("a", {3, 4});
  EXPECT_THAT(found({1, 2}), IsEmpty());
  EXPECT_THAT(found({3, 3, 4}), ElementsAre("a:2"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, RemovedDocumentIsGone) {
  put("a", {1, 2});
  put("b", {1});
  EXPECT_EQ(erase({"a", "a", "unknown"}), 1U);
  EXPECT_THAT(found({1, 2}), ElementsAre("b:1"));
  EXPECT_FALSE(must(must(store_->snapshot())->find("a")));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, IsEmptyAgainAfterEverythingWasRemoved) {
  put_all({{"a", {1, 2}}, {"b", {2, 2}}});
  erase({"a", "b"});
  const StoreStats left = stats();
  EXPECT_EQ(left.documents + left.features + left.postings + left.text_bytes + left.text_stored_bytes, 0U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, WhoseNumbersAreUsedUpTakesNoMoreDocumentsAndNamesReindex) {
  AKIN_SKIP_UNLESS_LMDB();
  put("a", {1});
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    AKIN_TRY(Counters counters, read_counters(txn, tables));
    counters.next_document = static_cast<std::uint32_t>(kEnd) - 1;
    return txn.put(tables.meta, format::kCountersEntry, encode_counters(counters));
  });
  put("last", {2});
  const Result<PutResult> refused = store_->put(MadeDocument("more", {3}).view());
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::too_large);
  EXPECT_THAT(refused.error().remedy, HasSubstr("akin reindex"));
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:1", "last:1"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, PutAllKeepsTheLastOfOneId) {
  EXPECT_EQ(put_all({{"a", {1}}, {"b", {2}}, {"a", {3}}}), 1U);
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:1", "b:1"));
  EXPECT_THAT(found({1}), IsEmpty());
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, PutAllIsAllOrNothing) {
  const MadeDocument good("good", {1});
  MadeDocument bad("", {2});
  EXPECT_TRUE(store_->put_all({good.view(), bad.view()}).has_error());
  EXPECT_THAT(found({1, 2}), IsEmpty());
}

TEST_F(Store, CountsItsContentInStats) {
  put_all({{"a", {1, 1, 2}}, {"b", {2, 3}}, {"c", {}}});
  const StoreStats now = stats();
  EXPECT_EQ(now.documents, 3U);
  EXPECT_EQ(now.features, 5U);
  EXPECT_EQ(now.postings, 4U);
  EXPECT_EQ(now.text_bytes, make_text({1, 1, 2}).size() + make_text({2, 3}).size());
  EXPECT_GT(now.text_stored_bytes, 0U);
  EXPECT_GT(now.disk_bytes, 0U);
}

TEST_F(Store, DocumentsOfNoOneAndTwoSentencesHaveExactSums) {
  put_all({{"none", {}}, {"one", {1}}, {"two", {1, 2}}});
  EXPECT_THAT(found({1, 2}), ElementsAre("two:2", "one:1"));
  EXPECT_THAT(found({}), IsEmpty());
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, MillionEqualFeaturesHaveExactSums) {
  const Values million(1'000'000, 42);
  put("a", million);
  EXPECT_EQ(search(million).hits.at(0).overlap.x, 1'000'000U);
  EXPECT_EQ(search(Values(1'000'001, 42)).hits.at(0).overlap.x, 1'000'000U);
  EXPECT_EQ(search({42, 42}).hits.at(0).overlap.x, 2U);
  EXPECT_EQ(stats().postings, 1U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Store, GivesBackTextRecordAndFeatures) {
  put("a", {1, 2, 2});
  const std::unique_ptr<Snapshot> view = must(store_->snapshot());
  EXPECT_EQ(must(view->text("a")), make_text({1, 2, 2}));
  EXPECT_EQ(must(view->features("a")).hashes, make_sequence({1, 2, 2}).hashes);
  EXPECT_EQ(must(view->features("a")).ranges, make_sequence({1, 2, 2}).ranges);
  EXPECT_EQ(must(view->find("a"))->title, "title of a");
  EXPECT_EQ(view->text("b").error().code, Errc::not_found);
  EXPECT_EQ(view->features("b").error().code, Errc::not_found);
}

TEST_F(Store, ListsIdsInByteOrderFromAfterAnId) {
  put_all({{"b", {}}, {"a", {}}, {"д", {}}, {"c", {}}});
  const std::unique_ptr<Snapshot> view = must(store_->snapshot());
  const auto ids = [&](std::string_view after, std::size_t limit) {
    std::vector<std::string> result;
    for (const DocumentRecord& record : must(view->list(after, limit))) result.push_back(record.id);
    return result;
  };
  EXPECT_THAT(ids("", 10), ElementsAre("a", "b", "c", "д"));
  EXPECT_THAT(ids("a", 2), ElementsAre("b", "c"));
  EXPECT_THAT(ids("bb", 10), ElementsAre("c", "д"));
  EXPECT_THAT(ids("д", 10), IsEmpty());
}

TEST_F(Store, SnapshotKeepsSeeingWhatItSaw) {
  put("a", {1});
  const std::unique_ptr<Snapshot> before = must(store_->snapshot());
  put("a", {2});
  put("b", {1});
  const FeatureSequence query = make_sequence({1});
  SearchRequest request;
  request.query = &query;
  request.bound = 0;
  const SearchResult result = must(before->search(request));
  ASSERT_EQ(result.total, 1U);
  EXPECT_EQ(result.hits[0].document.id, "a");
}

TEST_F(Store, KeepsEverythingOverReopening) {
  put_all({{"a", {1, 2}}, {"b", {2}}});
  close();
  open();
  EXPECT_THAT(found({1, 2}), ElementsAre("a:2", "b:1"));
  EXPECT_EQ(store_->identity().scheme, "test-scheme");
  EXPECT_EQ(store_->identity().fingerprint, "fingerprint");
  EXPECT_EQ(store_->identity().languages, "ru,en");
}

TEST_F(Store, OpenedTwiceInOneProcessIsOneStore) {
  AKIN_SKIP_UNLESS_LMDB();
  const std::shared_ptr<LmdbStore> other = must(LmdbStore::open(path_));
  put("a", {1});
  EXPECT_TRUE(must(must(other->snapshot())->find("a")));
}

TEST_F(Store, IdsHaveOneToFiveHundredBytes) {
  EXPECT_EQ(store_->put(MadeDocument("", {1}).view()).error().code, Errc::invalid_argument);
  EXPECT_EQ(store_->put(MadeDocument(std::string(501, 'x'), {1}).view()).error().code,
            Errc::invalid_argument);
  put(std::string(500, 'x'), {1});
  EXPECT_EQ(search({1}).total, 1U);
}

TEST_F(Store, LookingForAnImpossibleIdFindsNothing) {
  const std::unique_ptr<Snapshot> view = must(store_->snapshot());
  EXPECT_FALSE(must(view->find("")));
  EXPECT_FALSE(must(view->find(std::string(5000, 'x'))));
}

TEST_F(Store, MadeWhereThereIsOneIsRefused) {
  AKIN_SKIP_UNLESS_LMDB();
  EXPECT_EQ(LmdbStore::create(path_, {}).error().code, Errc::already_exists);
}

TEST_F(Store, OpenedWhereThereIsNoneIsNotFound) {
  AKIN_SKIP_UNLESS_LMDB();
  EXPECT_EQ(LmdbStore::open(folder_.path() / "nowhere").error().code, Errc::not_found);
}

TEST_F(Store, ThatIsAnotherProgramsEnvironmentIsCorrupt) {
  AKIN_SKIP_UNLESS_LMDB();
  const TemporaryFolder other;
  { const lmdb::Env env = must(lmdb::Env::open(other.path(), {{"theirs"}}, {}, true)); }
  EXPECT_EQ(LmdbStore::open(other.path()).error().code, Errc::corrupt);
}

TEST_F(StoreTest, AWriteRemovesAndPutsTogetherOrDoesNothing) {
  put("a", {1, 2});
  put("b", {2, 3});
  const auto remove_seen = [&](std::string_view id) {
    const Revision revision = must(must(store_->snapshot())->find(id))->revision;
    return Change{.id = id, .condition = {Precondition::Kind::revision_in, {revision}}};
  };
  const MadeDocument added("c", {1, 2, 3});
  const MadeDocument other("d", {4});
  const Change add{
      .id = "c", .document = store_->prepare(added.view()), .condition = {Precondition::Kind::absent}};
  const Change add_other{
      .id = "d", .document = store_->prepare(other.view()), .condition = {Precondition::Kind::absent}};
  const Change remove_none{.id = "none", .condition = {Precondition::Kind::revision_in, {Revision(1)}}};
  const auto write = [&](std::vector<Change> changes) { return store_->write(changes, WriteMode::all); };
  const Change stale = remove_seen("b");
  put("b", {3});  // replaced since it was seen
  EXPECT_EQ(write({add, remove_seen("a"), stale}).error().code, Errc::precondition_failed);
  EXPECT_EQ(write({add, remove_seen("a"), remove_none}).error().code, Errc::precondition_failed);
  EXPECT_EQ(found({1, 2, 3}), (std::vector<std::string>{"a:2", "b:1"}));
  const WriteResults results = must(write({add, remove_seen("a"), remove_seen("b")}));
  ASSERT_EQ(results.size(), 3U);
  EXPECT_FALSE(results[0]->replaced);
  EXPECT_TRUE(results[1]->replaced);
  EXPECT_EQ(found({1, 2, 3}), (std::vector<std::string>{"c:3"}));
  EXPECT_EQ(stats().documents, 1U);
  EXPECT_EQ(write({add_other, add}).error().code, Errc::precondition_failed);
  EXPECT_EQ(stats().documents, 1U);
  EXPECT_TRUE(verify().empty());
}

}  // namespace
}  // namespace akin::test
