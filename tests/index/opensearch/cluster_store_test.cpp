// What only a store in a cluster has: turns of writers, the engine's limits, damage that the engine does not
// see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include "base/process_name.h"
#include "index/opensearch/catalog.h"
#include "index/opensearch/catalog/entry.h"
#include "index/opensearch/documents/overlap_search.h"
#include "index/opensearch/store.h"
#include "morph/schemes/tiers.h"
#include "tests/support/opensearch_cluster.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using opensearch::Client;
using opensearch::ClusterStore;
using opensearch::Head;
using opensearch::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ClusterStoreTest : public StoreTest {
 protected:
  Head head() { return must(opensearch::read_head(*client_, name_)); }
  void write(Head head) { ASSERT_TRUE(must(opensearch::write_head(*client_, name_, head))); }
  [[nodiscard]] std::string index() const { return opensearch::StoreIndex{client_, name_}.path(); }
  void ask(const std::string& method, const std::string& path, const Json& body = nullptr) {
    must(client_->ask({.method = method, .path = path, .body = body.is_null() ? "" : body.dump()}));
  }
  std::uint64_t count_in_index() {
    ask("POST", index() + "/_refresh");
    return must(client_->ask({.path = index() + "/_count"})).at("count").get<std::uint64_t>();
  }
  /// Opened as another process would.
  std::shared_ptr<ClusterStore> opened_again() { return must(ClusterStore::open(other_client(), name_)); }
  static std::shared_ptr<Client> other_client() { return test_cluster().client("stores"); }

  std::shared_ptr<Client> client_ = other_client();
};

TEST_F(ClusterStoreTest, WritersOfSeveralProcessesTakeTurns) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer) {
    writers.emplace_back([this, writer] {
      const auto own = opened_again();
      for (int i = 0; i < 4; ++i)
        must(own->put(MadeDocument(std::to_string(writer) + "-" + std::to_string(i), {1, 2}).view()));
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(stats().documents, 12U);
  EXPECT_EQ(found({1, 2}).size(), 12U);
  std::vector<Revision> revisions;
  for (const auto& one : must(must(store_->snapshot())->changes(Revision(), 100)))
    revisions.push_back(one.revision);
  EXPECT_EQ(revisions.size(), 12U);
  EXPECT_TRUE(std::ranges::is_sorted(revisions, std::less_equal<>()) && verify().empty());
}

TEST_F(ClusterStoreTest, WritesThatWaitShareATurn) {
  constexpr int kWriters = 8;
  const auto client = other_client();
  const auto own = must(ClusterStore::open(client, name_));
  const std::uint64_t before = client->requests();
  must(own->put(MadeDocument("first", {1}).view()));
  const std::uint64_t alone = client->requests() - before;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&own, writer] {
      EXPECT_FALSE(must(own->put(MadeDocument(std::to_string(writer), {1}).view())).replaced);
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_LT(client->requests() - before, (1 + kWriters / 2) * alone);
  EXPECT_EQ(found({1}).size(), std::size_t{kWriters + 1});
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, AWriteThatFailsLeavesThoseOfItsTurn) {
  put("a", {1});
  const std::uint64_t revision = must(must(store_->snapshot())->find("a"))->revision.value;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 9; ++writer) {
    writers.emplace_back([this, writer, revision] {
      MadeDocument made(std::to_string(writer), {1});
      Precondition condition;
      if (writer % 3 == 1) made.document.record.revision = Revision(revision);  // another document has it
      if (writer % 3 == 2) condition.kind = Precondition::Kind::present;
      const auto done = store_->put(made.view(), condition);
      constexpr std::array kExpected{Errc::invalid_argument, Errc::precondition_failed};
      ASSERT_EQ(done.has_error(), writer % 3 != 0) << writer;
      if (!done.has_error()) return;
      EXPECT_EQ(done.error().code, kExpected.at(static_cast<std::size_t>(writer % 3 - 1))) << writer;
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_THAT(found({1}), testing::UnorderedElementsAre("a:1", "0:1", "3:1", "6:1"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, WhatATurnThatWasNeverCommittedHasWrittenDoesNotExist) {
  put("a", {1});
  Head taken = head();
  ++taken.turn;
  taken.writer = "a process that ended";
  write(taken);
  const std::string number = std::to_string(opensearch::first_number(taken.turn));
  ask("PUT", index() + "/_doc/" + number + "?refresh=true",
      {{"number", opensearch::first_number(taken.turn)}, {"turn", taken.turn}, {"id", "b"}});
  EXPECT_THAT(found({1}), ElementsAre("a:1"));
  put("c", {1});  // waits until the turn counts as abandoned
  EXPECT_THAT(found({1}), ElementsAre("a:1", "c:1"));
  EXPECT_THAT(head().abandoned, ElementsAre(taken.turn));
  EXPECT_EQ(opened_again()->identity().scheme, "test-scheme");
  EXPECT_THAT(verify(), IsEmpty());
  EXPECT_EQ(count_in_index(), 3U);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(count_in_index(), 2U);
}

TEST_F(ClusterStoreTest, AWriterOfAProcessThatHasEndedIsNotWaitedFor) {
  Head taken = head();
  ++taken.turn;
  taken.writer = process_name();
  taken.writer.insert(taken.writer.size() - 1, "0");  // had this one's number before
  write(taken);
  const auto begin = std::chrono::steady_clock::now();
  put("a", {1});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(25));
  EXPECT_THAT(head().abandoned, ElementsAre(taken.turn));
}

TEST_F(ClusterStoreTest, AWriterWhoseTurnWasTakenCannotCommit) {
  ClusterStore writer({client_, name_}, {});
  must(writer.stop_others());
  Head taken = head();
  ++taken.turn;
  write(taken);
  EXPECT_EQ(writer.retire("another store").error().code, Errc::busy);
  EXPECT_EQ(head().retired, 0);
}

TEST_F(ClusterStoreTest, ARetiredStoreTakesNoMoreWrites) {
  put("a", {1});
  must(opened_again()->retire(""));
  EXPECT_EQ(store_->put(MadeDocument("b", {2}).view()).error().code, Errc::not_found);
  EXPECT_THAT(found({1, 2}), ElementsAre("a:1"));
}

TEST_F(ClusterStoreTest, ErasesReplacedAndRemovedDocuments) {
  put_all({{"a", {1}}, {"b", {1, 2}}, {"c", {3}}});
  must(store_->continue_after(Revision(0)));  // commits
  put("a", {4});
  EXPECT_EQ(head().latest().gone.size(), 1U);
  must(store_->continue_after(Revision(0)));
  erase({"b"});
  EXPECT_EQ(head().latest().gone.size(), 1U);  // the second write has erased what the first has replaced
  must(store_->flush_and_merge(true));
  EXPECT_THAT(head().latest().gone, IsEmpty());
  EXPECT_EQ(count_in_index(), 2U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, AcceptedWritesAreFoundByAllReadersAndWriters) {
  put("a", {1});
  const Revision first = must(must(store_->snapshot())->document("a")).revision;
  put("b", {1});
  ASSERT_TRUE(head().accepted);
  EXPECT_LT(head().committed.turn, head().accepted->turn);
  EXPECT_THAT(found({1}), ElementsAre("a:1", "b:1"));
  EXPECT_EQ(must(must(opened_again()->snapshot())->list("", 9)).size(), 2U);
  MadeDocument next("a", {1, 2});
  const Precondition as_first{Precondition::Kind::revision_in, {first}};
  EXPECT_TRUE(must(store_->put(next.view(), as_first)).replaced);
  EXPECT_EQ(store_->put(next.view(), as_first).error().code, Errc::precondition_failed);
  EXPECT_THAT(found({1, 2}), ElementsAre("a:2", "b:1"));
  erase({"b"});
  put("b", {2});
  EXPECT_THAT(found({1, 2}), ElementsAre("a:2", "b:1"));
  EXPECT_TRUE(must(opened_again()->put(MadeDocument("b", {3}).view())).replaced);
  EXPECT_TRUE(must(store_->put(MadeDocument("b", {2, 3}).view())).replaced);
  EXPECT_THAT(found({2, 3}), ElementsAre("b:2", "a:1"));
  EXPECT_THAT(verify(), IsEmpty());
  must(store_->flush_and_merge(true));
  EXPECT_EQ(count_in_index(), 2U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, AcceptedWritesOutliveTheirWriter) {
  put("a", {1});
  put("a", {1, 2});
  Head taken = head();
  ASSERT_TRUE(taken.accepted);
  ++taken.turn;
  taken.writer = process_name();
  taken.writer.insert(taken.writer.size() - 1, "0");  // a process that has ended
  write(taken);
  ask("PUT", index() + "/_doc/" + std::to_string(opensearch::first_number(taken.turn)),
      {{"number", opensearch::first_number(taken.turn)}, {"turn", taken.turn}, {"id", "b"}});
  EXPECT_THAT(found({1, 2}), ElementsAre("a:2"));
  EXPECT_TRUE(must(opened_again()->put(MadeDocument("a", {2}).view())).replaced);
  EXPECT_THAT(head().abandoned, ElementsAre(taken.turn));
  EXPECT_THAT(found({1, 2}), ElementsAre("a:1"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, ManyWritesAreCommittedWithLaterOnes) {
  std::vector<std::pair<std::string, Values>> documents;
  for (int i = 0; i < 400; ++i) documents.emplace_back("d" + std::to_string(i), Values{1});
  const std::int64_t before = head().committed.turn;
  put_all(documents);
  EXPECT_EQ(head().committed.turn, before);
  std::uint64_t later = 0;  // while the engine refreshes
  for (; head().committed.turn == before; ++later) put("a" + std::to_string(later), {1});
  EXPECT_EQ(head().committed.counters.documents, 400);
  put("d1", {2});
  EXPECT_EQ(stats().documents, 400 + later);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, ASnapshotReadsWhatWasErasedAfterIt) {
  put("a", {1});
  const auto before = must(store_->snapshot());
  erase({"a"});
  must(store_->flush_and_merge(true));
  EXPECT_EQ(must(before->text("a")), make_text({1}));
  EXPECT_THAT(found({1}), IsEmpty());
}

TEST_F(ClusterStoreTest, ASnapshotWhosePointIsLostReadsOnUntilItsDocumentsAreErased) {
  put("a", {1});
  const auto before = must(store_->snapshot());
  const auto lose_points = [&] { ask("DELETE", "/_search/point_in_time/_all"); };
  put("a", {2});
  lose_points();
  EXPECT_EQ(must(before->text("a")), make_text({1}));
  must(store_->flush_and_merge(false));
  put("b", {3});
  lose_points();
  EXPECT_EQ(before->find("a").error().code, Errc::unavailable);
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:1", "b:1"));
}

TEST_F(ClusterStoreTest, AnIndexThatLacksADocumentIsRefused) {
  put_all({{"a", {1}}, {"b", {2}}});
  const std::string number = std::to_string(must(must(store_->snapshot())->document("a")).number);
  ask("DELETE", index() + "/_doc/" + number + "?refresh=true");
  const auto opened = ClusterStore::open(other_client(), name_);
  ASSERT_TRUE(opened.has_error());
  EXPECT_EQ(opened.error().code, Errc::corrupt);
  EXPECT_THAT(opened.error().reason, HasSubstr("has 1 documents, and the catalog counts 2"));
}

TEST_F(ClusterStoreTest, ACatalogOfAnOlderSnapshotIsRefused) {
  put("a", {1});
  Head older = head();
  put("b", {2});
  const Head now = head();
  older.version = now.version;
  write(older);
  const auto opened = ClusterStore::open(other_client(), name_);
  ASSERT_TRUE(opened.has_error());
  EXPECT_EQ(opened.error().code, Errc::corrupt);
  EXPECT_THAT(opened.error().reason, HasSubstr("older snapshot"));
}

TEST_F(ClusterStoreTest, AFullDiskIsTold) {
  put("a", {1});
  const auto block = [&](const Json& value) {
    ask("PUT", index() + "/_settings", {{"index.blocks.read_only_allow_delete", value}});
  };
  block(true);
  const auto refused = store_->put(MadeDocument("b", {2}).view());
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::disk_full);
  EXPECT_THAT(refused.error().remedy, HasSubstr("make room"));
  EXPECT_THAT(found({1, 2}), ElementsAre("a:1"));
  block(nullptr);
  put("b", {2});
  EXPECT_THAT(found({1, 2}), ElementsAre("a:1", "b:1"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, AWriteDoesNotWaitLongForMissingCopies) {
  put("a", {1});
  for (const std::string& lacking : {index(), "/" + opensearch::catalog_index(*client_)}) {
    const auto set_replicas = [&](int replicas) {
      ask("PUT", lacking + "/_settings",
          {{"index.number_of_replicas", replicas}, {"index.write.wait_for_active_shards", "all"}});
    };
    set_replicas(1);
    const auto begin = std::chrono::steady_clock::now();
    const auto refused = store_->put(MadeDocument("b", {2}).view());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << lacking;
    ASSERT_TRUE(refused.has_error()) << lacking;
    EXPECT_EQ(refused.error().code, Errc::unavailable) << lacking;
    set_replicas(0);
    EXPECT_THAT(found({1, 2}), ElementsAre("a:1")) << lacking;
  }
  put("b", {2});
  EXPECT_THAT(found({1, 2}), ElementsAre("a:1", "b:1"));
}

TEST_F(ClusterStoreTest, QueriesBeyondTheEnginesClausesAreCountedInParts) {
  Values many(2'500);
  std::iota(many.begin(), many.end(), 1);
  put_all({{"all", many}, {"none", {9'000}}, {"few", {1, 1'200, 2'400}}, {"twice", {7, 7, 2'300}}});
  EXPECT_THAT(found(many), ElementsAre("all:2500", "few:3", "twice:2"));
  EXPECT_THAT(found(many, 2), ElementsAre("all:2500", "few:3"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(ClusterStoreTest, MoreHitsThanTheEnginesWindowAreAllCounted) {
  std::vector<std::pair<std::string, Values>> documents;
  for (int i = 0; i < 10'200; ++i) documents.emplace_back("d" + std::to_string(i), Values{1});
  put_all(documents);
  SearchRequest request;
  request.bound = 0;
  request.limit = 3;
  const SearchResult result = search({1}, request);
  EXPECT_EQ(result.total, 10'200U);
  EXPECT_EQ(result.hits.size(), 3U);
  const FeatureSequence query = make_sequence({1});
  request.query = request.next = &query;
  const auto view = must(store_->snapshot());
  EXPECT_EQ(must(view->search(request)).total, 10'200U);
  EXPECT_EQ(must(view->common_features(query.hashes, 10'100)), query.hashes);
  EXPECT_EQ(must(view->search(request)).total, 10'200U);
  EXPECT_EQ(must(must(store_->snapshot())->list("", 20'000)).size(), 10'200U);
}

TEST_F(ClusterStoreTest, PairsReadAllDocumentsOnceAndCanBeStopped) {
  std::vector<std::pair<std::string, Values>> documents;
  for (std::uint64_t i = 0; i < 2'500; ++i)
    documents.emplace_back("d" + std::to_string(i), Values{i / 2, 9'000 + i});
  put_all(documents);
  const auto view = must(store_->snapshot());
  PairsRequest request;
  double share = 0;
  request.progress = [&](const PairsProgress& now) {
    EXPECT_GE(now.share, share);
    share = now.share;
  };
  std::stop_source stop;
  request.stop = stop.get_token();
  const auto count = [&] {
    return must(view->pairs(request, [](const DocumentPair& pair) {
      EXPECT_EQ(pair.overlap.x, 1U);
      return Result<void>();
    }));
  };
  EXPECT_EQ(count().pairs, 1'250U);
  EXPECT_EQ(share, 1);
  const std::uint64_t before = client_->requests();
  share = 0;
  EXPECT_EQ(count().pairs, 1'250U);
  EXPECT_EQ(client_->requests(), before);
  stop.request_stop();
  EXPECT_FALSE(must(must(store_->snapshot())->pairs(request, nullptr)).complete);
}

TEST_F(ClusterStoreTest, TheNextJobDropsWhatAKilledReindexHasBuilt) {
  put("a", {1});
  const auto built = must(ClusterStore::create(client_, {"test-scheme", "fingerprint", "en"}));
  opensearch::Entry entry{name_, built->name(), {1, "token"}, std::nullopt};
  ASSERT_TRUE(must(opensearch::write_entry(*client_, "rebuilt", entry)));
  const auto catalog = must(opensearch::open_catalog(test_cluster().address("stores"), nullptr, false));
  must(catalog->compact("rebuilt", {}));
  EXPECT_NE(must(opensearch::read_head(*client_, built->name())).retired, 0);
  EXPECT_EQ(must(opensearch::current_entry(*client_, "rebuilt")).unfinished, "");
  EXPECT_EQ(head().retired, 0);
}

TEST_F(ClusterStoreTest, WhatAKilledReindexHasSwitchedToIsInUse) {
  put("a", {1});
  const auto built = must(ClusterStore::create(client_, {"test-scheme", "fingerprint", "en"}));
  opensearch::Entry entry{name_, built->name(), {1, "token"}, std::nullopt};
  ASSERT_TRUE(must(opensearch::write_entry(*client_, "switched", entry)));
  ClusterStore old({client_, name_}, {});
  must(old.stop_others());
  must(old.retire(built->name()));
  const auto catalog = must(opensearch::open_catalog(test_cluster().address("stores"), nullptr, false));
  must(catalog->compact("switched", {}));
  entry = must(opensearch::current_entry(*client_, "switched"));
  EXPECT_EQ(entry.store, built->name());
  EXPECT_EQ(entry.unfinished, "");
  EXPECT_EQ(must(opensearch::read_head(*client_, built->name())).retired, 0);
}

TEST_F(ClusterStoreTest, ASearchFindsWhatTheNextOneWillAskForByTheWay) {
  put_all({{"a", {1, 2}}, {"b", {1, 3}}, {"c", {1, 2}}, {"d", {4, 5, 5}}});
  const auto client = other_client();
  const auto own = must(ClusterStore::open(client, name_));
  const auto view = must(own->snapshot());
  const FeatureSequence query = make_sequence({1, 2}), next = make_sequence({4, 5, 5, 6});
  const std::vector<Feature> common = {Feature{1}}, features = query.hashes;
  std::vector<Feature> later = next.hashes;
  later.erase(later.begin() + 1);
  const std::uint64_t before = client->requests();
  EXPECT_EQ(must(view->common_features(features, 2)), common);
  SearchRequest request;
  request.query = &query;
  request.bound = 0;
  request.common = &common;
  request.next = &next;
  const SearchResult result = must(view->search(request));
  EXPECT_EQ(result.total, 2U);
  EXPECT_EQ(result.with_common, 3U);
  EXPECT_THAT(must(view->common_features(later, 2)), IsEmpty());
  SearchRequest second;
  second.query = &next;
  second.bound = 1;
  const SearchResult found_ahead = must(view->search(second));
  ASSERT_EQ(found_ahead.total, 1U);
  EXPECT_EQ(found_ahead.hits.front().overlap.x, 3U);
  EXPECT_EQ(client->requests() - before, 2U);
}

TEST_F(ClusterStoreTest, ASearchThatIsExpectedIsMadeWithTheCountOfCommonFeatures) {
  put_all({{"a", {1, 2}}, {"b", {1, 3}}, {"c", {1, 2}}, {"d", {4}}});
  const auto client = other_client();
  const auto own = must(ClusterStore::open(client, name_));
  const auto view = must(own->snapshot());
  const FeatureSequence query = make_sequence({1, 2}), next = make_sequence({4});
  const std::vector<Feature> none, common = {Feature{1}};
  SearchRequest request;
  request.query = &query;
  request.bound = 1;
  request.common = &none;
  request.next = &next;
  const std::uint64_t before = client->requests();
  view->expect(request);
  EXPECT_THAT(must(view->common_features(query.hashes, 3)), IsEmpty());
  EXPECT_EQ(must(view->search(request)).total, 2U);
  request.query = &next;
  request.bound = 0;
  request.next = nullptr;
  EXPECT_EQ(must(view->search(request)).total, 1U);
  EXPECT_EQ(client->requests() - before, 1U);
  // With a common feature, it is another search.
  request.query = &query;
  view->expect(request);
  EXPECT_EQ(must(view->common_features(query.hashes, 2)), common);
  request.common = &common;
  const SearchResult beside = must(view->search(request));
  EXPECT_EQ(beside.total, 2U);
  EXPECT_EQ(beside.with_common, 3U);
}

TEST_F(ClusterStoreTest, CommonFeaturesAreCountedOverAllShards) {
  const Json shards = {{"index.number_of_shards", 3}, {"index.number_of_replicas", 0}};
  ask("PUT", "/_index_template/sharded",
      {{"index_patterns", {"sharded-*"}}, {"priority", 1}, {"template", {{"settings", shards}}}});
  const auto own =
      must(ClusterStore::create(test_cluster().client("sharded"), {"test-scheme", "fingerprint", "en"}));
  std::vector<std::unique_ptr<MadeDocument>> made;
  std::vector<NewDocument> documents;
  for (std::uint64_t i = 0; i < 40; ++i) {
    Values values = {1};
    if (i % 2 == 0) values.push_back(2);
    if (i % 10 == 0) values.push_back(3);
    made.push_back(std::make_unique<MadeDocument>(std::to_string(i), values));
    documents.push_back(made.back()->view());
  }
  must(own->put_all(documents));
  const FeatureSequence query = make_sequence({1, 2, 3});
  const std::vector<std::uint64_t> counts = {40, 20, 4};
  const std::vector<Feature> none;
  SearchRequest request;
  request.query = &query;
  request.common = &none;
  for (const std::uint64_t limit : {1, 3, 4, 10, 19, 20, 39}) {
    const auto expected = std::ranges::count_if(counts, [&](std::uint64_t one) { return one > limit; });
    const std::vector<Feature> first(query.hashes.begin(), query.hashes.begin() + expected);
    EXPECT_EQ(must(must(own->snapshot())->common_features(query.hashes, limit)), first) << limit;
    const auto view = must(own->snapshot());
    view->expect(request);
    EXPECT_EQ(must(view->common_features(query.hashes, limit)), first) << limit;
  }
}

TEST_F(ClusterStoreTest, ANextQueryThatManyDocumentsShareIsCounted) {
  put_all({{"a", {1, 2}}, {"b", {1, 3}}, {"c", {1, 2}}, {"d", {4}}});
  const auto view = must(store_->snapshot());
  const FeatureSequence query = make_sequence({3}), next = make_sequence({1, 4});
  const std::vector<Feature> common = {Feature{1}}, later = next.hashes;
  SearchRequest request;
  request.query = &query;
  request.bound = 0;
  request.exclude = {"a"};
  request.next = &next;
  EXPECT_EQ(must(view->search(request)).total, 1U);
  EXPECT_EQ(must(view->common_features(later, 2)), common);
  // The search for it excludes nobody.
  request = {};
  request.query = &next;
  request.bound = 0;
  EXPECT_EQ(must(view->search(request)).total, 4U);
  erase({"a"});
  EXPECT_THAT(must(must(store_->snapshot())->common_features(later, 2)), IsEmpty());
  EXPECT_EQ(must(must(store_->snapshot())->common_features(later, 1)), common);
}

TEST_F(ClusterStoreTest, TextsThatWereReadAreNotReadAgain) {
  put("a", {1, 2});
  const auto client = other_client();
  const auto own = must(ClusterStore::open(client, name_));
  EXPECT_EQ(must(must(own->snapshot())->text("a")), make_text({1, 2}));
  const std::uint64_t before = client->requests();
  EXPECT_EQ(must(must(own->snapshot())->text("a")), make_text({1, 2}));
  EXPECT_EQ(client->requests() - before, 2U);  // the head, the record
}

TEST_F(ClusterStoreTest, FeaturesThatFollowFromTextsAreNotStored) {
  const MadeDocument made("a", {1, 2, 3, 4, 5, 6, 7, 8, 9, 9});
  put("before", {1, 2, 3});
  store_->derive_by(
      {.features = [&made](std::string_view) { return Result<FeatureSequence>(made.features); }});
  must(store_->put(made.view()));
  const auto view = must(store_->snapshot());
  EXPECT_EQ(must(view->features("a")).hashes, made.features.hashes);
  EXPECT_EQ(must(view->features("before")).hashes, make_sequence({1, 2, 3}).hashes);
  EXPECT_EQ(must(view->most_common(3, std::nullopt)).size(), 3U);
  EXPECT_THAT(found({9, 9}, 1), ElementsAre("a:2"));
  EXPECT_THAT(verify(), IsEmpty());
  const auto without = must(opened_again()->snapshot());
  EXPECT_EQ(without->features("a").error().code, Errc::unsupported);
  EXPECT_EQ(must(without->features("before")).hashes, make_sequence({1, 2, 3}).hashes);
}

TEST(Words, AreAnotherForEachOccurrenceOfEachFeature) {
  const auto word = [](Feature feature, std::uint64_t occurrence) {
    std::string one;
    opensearch::add_word(one, feature, occurrence);
    return one;
  };
  std::set<Feature> features;
  for (unsigned bit = 0; bit < 64; ++bit) {
    for (const unsigned other : {0U, 1U, 90U, 91U, 8281U})
      features.insert(Feature{(std::uint64_t{1} << bit) ^ other});
  }
  std::set<std::string> words;
  for (const Feature feature : features) {
    for (const std::uint64_t occurrence : {1U, 2U, 12U}) words.insert(word(feature, occurrence));
  }
  EXPECT_EQ(words.size(), 3 * features.size());
  for (const std::string& one : words) {
    EXPECT_GT(one.size(), 1U);
    EXPECT_EQ(one.find(' '), one.size() - 1) << one;
    EXPECT_EQ(Json(one).dump(), '"' + one + '"');
  }
  EXPECT_EQ(word(first_of_tier(0), 1).size(), 2U);
  const Feature longest_seed{static_cast<std::uint64_t>(first_of_tier(3)) + (std::uint64_t{1} << kSeedBits) -
                             1};
  EXPECT_LE(word(longest_seed, 1).size(), 9U);
}

TEST(PartCache, DropsWhatWasUsedLongestAgo) {
  using opensearch::PartKind;
  opensearch::PartCache cache;
  const std::string third(std::size_t{24} << 20U, 'x');
  cache.keep(1, PartKind::text, third);
  cache.keep(2, PartKind::text, third);
  EXPECT_NE(cache.find(1, PartKind::text), nullptr);
  cache.keep(3, PartKind::text, third);
  EXPECT_NE(cache.find(1, PartKind::text), nullptr);
  EXPECT_EQ(cache.find(2, PartKind::text), nullptr);
  EXPECT_EQ(*cache.find(3, PartKind::text), third);
  EXPECT_EQ(cache.find(3, PartKind::sequence), nullptr);
}

TEST_F(ClusterStoreTest, ALoadLeavesOneSegmentInAShard) {
  for (const char* const id : {"a", "b", "c", "d"}) {
    put(id, {1, 2});
    must(store_->snapshot());  // refreshes
  }
  const auto before = must(store_->snapshot());
  EXPECT_GT(must(before->stats()).runs, 1U);
  must(store_->flush_and_merge(false));
  EXPECT_EQ(must(must(store_->snapshot())->stats()).runs, 1U);
  EXPECT_EQ(found({1}).size(), 4U);
  // What is little beside the rest is not merged with it.
  std::vector<std::pair<std::string, Values>> documents;
  for (int i = 0; i < 40; ++i) documents.emplace_back("d" + std::to_string(i), Values{1});
  put_all(documents);
  must(store_->flush_and_merge(false));
  put("e", {1, 2});
  must(store_->flush_and_merge(false));
  EXPECT_EQ(must(must(store_->snapshot())->stats()).runs, 2U);
}

TEST_F(ClusterStoreTest, AFirstLoadEndsWithALittleWriteOrARead) {
  const Values many(10'000, 1);
  for (const bool is_read : {false, true}) {
    const auto store = must(ClusterStore::create(client_, store_->identity()));
    const opensearch::StoreIndex index{client_, store->name()};
    const auto may_have_many_segments = [&] {
      return !must(index.ask("GET", "/_settings/index.merge.policy.segments_per_tier")).empty();
    };
    for (const char* const id : {"a", "b"}) must(store->put(MadeDocument(id, many).view()));
    EXPECT_TRUE(may_have_many_segments());
    if (is_read) static_cast<void>(must(store->snapshot()));
    must(store->put(MadeDocument("c", is_read ? many : Values{1}).view()));
    EXPECT_FALSE(may_have_many_segments());
  }
}

TEST_F(ClusterStoreTest, ASearchOfAnUnchangedStoreAsksTwice) {
  put("a", {1, 2, 3});
  const auto client = other_client();
  const auto own = must(ClusterStore::open(client, name_));
  const FeatureSequence query = make_sequence({1, 2, 3});
  SearchRequest request;
  request.query = &query;
  request.bound = 0;
  static_cast<void>(must(must(own->snapshot())->search(request)));
  const std::uint64_t before = client->requests();
  EXPECT_EQ(must(must(own->snapshot())->search(request)).total, 1U);
  EXPECT_EQ(client->requests() - before, 2U);  // the head, the search
}

}  // namespace
}  // namespace akin::test
