// Shards that die in the midst of writes and searches: an error with a code, and nothing half.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <iterator>

#include "index/pg/catalog.h"
#include "index/pg/merge.h"
#include "tests/index/fault_fixture.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

class ShardFaults : public FaultTest {
 protected:
  static constexpr std::size_t kShards = 3;

  /// How many documents' content was erased.
  [[nodiscard]] std::int64_t erase_gone() const {
    const std::int64_t before = ask("SELECT count(*) FROM akin.tombstones_@");
    must(pg::merge_store(*pool_, store_->parts(), store_->number(), {.erase = true}));
    return before - ask("SELECT count(*) FROM akin.tombstones_@");
  }

  /// Kills the shard that a put has written the text to, and not the postings; returns the put's outcome.
  Result<PutResult> put_cut_short(const std::string& id, const Values& values) {
    std::vector<std::unique_ptr<Stall>> stalls;
    for (const std::string& shard : shards_)
      stalls.push_back(std::make_unique<Stall>(shard, of_store("akin.postings_@")));
    auto outcome = std::async(std::launch::async, [&] { return put(id, values); });
    std::size_t victim = 0;
    await([&] {
      for (victim = 0; victim < kShards; ++victim) {
        if (stalls[victim]->has_waiter()) return true;
      }
      return false;
    });
    kill_shard(victim);
    killed = victim;
    return outcome.get();
  }

  std::size_t killed = 0;
};

TEST_P(ShardFaults, APutWhoseShardDiesBetweenTextAndPostingsLeavesNothing) {
  fill(60);
  for (const char* const id : {"new", "d7"}) {
    const Values values = random_.values(80);
    const Result<PutResult> refused = put_cut_short(id, values);
    ASSERT_TRUE(refused.has_error()) << id;
    EXPECT_EQ(refused.error().code, Errc::unavailable) << refused.error().message();
    const auto seen = must(must(store_->snapshot())->find(id));
    EXPECT_EQ(seen.has_value(), expected_.contains(id)) << id;
    const auto half = search(values);
    ASSERT_TRUE(half.has_error()) << "a shard is down";
    EXPECT_EQ(half.error().code, Errc::unavailable) << half.error().message();
    start_shard(killed);
    expect_exact();
    must(put(id, values));
    expected_[id] = values;
    expect_exact();
  }
  age_pending();
  EXPECT_EQ(erase_gone(), 3) << "two puts that were cut short, and one that was replaced";
  EXPECT_EQ(ask("SELECT count(*) FROM akin.tombstones_@"), 0);
  EXPECT_EQ(count_content(), static_cast<std::int64_t>(expected_.size()));
  expect_exact();
}

TEST_P(ShardFaults, ABatchOfWhichOneShardDiesIsNotThereOnTheOthers) {
  fill(60);
  // By statements, and by COPY.
  for (const std::uint64_t size : {30U, 400U}) {
    Documents batch;
    for (std::uint64_t i = 0; i < size; ++i) batch[numbered("b", i)] = random_.values(80);
    const std::int64_t content = ask("SELECT count(*) FROM akin.contents_@", 0);
    const Stall stall(shards_[1], of_store(size == 30 ? "akin.postings_@" : "akin.packed_postings_@"));
    auto outcome = std::async(std::launch::async, [&] { return put_all(batch); });
    stall.await();
    await([&] { return ask("SELECT count(*) FROM akin.contents_@", 0) > content; });
    kill_shard(1);
    const auto refused = outcome.get();
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::unavailable) << refused.error().message();
    // A shard that is down from the beginning.
    const auto again = put_all(batch);
    ASSERT_TRUE(again.has_error());
    EXPECT_EQ(again.error().code, Errc::unavailable) << again.error().message();
    start_shard(1);
    expect_exact();
    EXPECT_GT(count_content(), static_cast<std::int64_t>(expected_.size())) << "leftovers";
    age_pending();
    EXPECT_EQ(erase_gone(), static_cast<std::int64_t>(2 * size));
    EXPECT_EQ(count_content(), static_cast<std::int64_t>(expected_.size()));
    expect_exact();
  }
}

TEST_P(ShardFaults, ASearchAsksAllShardsAtTheSameTimeAndNotThroughTheCoordinator) {
  fill(60);
  must(must(pg::Connection::open(database_))
           ->command("ALTER SERVER akin_shard_1 OPTIONS (SET dbname 'none')"));
  const Values& query = expected_.at("d7");
  must(search(query));  // prepares the statements, which happens on one shard after the other
  std::future<Result<SearchResult>> outcome;
  std::vector<std::unique_ptr<Stall>> stalls;
  for (const std::string& shard : shards_)
    stalls.push_back(std::make_unique<Stall>(shard, of_store("akin.postings_@")));
  outcome = std::async(std::launch::async, [&] { return search(query); });
  for (const auto& stall : stalls) stall->await();
  stalls.clear();
  EXPECT_EQ(told(must(outcome.get())), hits_by_definition(expected_, query, 0));
}

TEST_P(ShardFaults, TextsSequencesAndPairsAreReadFromShardsAndNotThroughTheCoordinator) {
  fill(60);
  must(must(pg::Connection::open(database_))
           ->command("ALTER SERVER akin_shard_1 OPTIONS (SET dbname 'none')"));
  expect_exact();
  const auto view = must(store_->snapshot());
  for (const auto& [id, values] : expected_) {
    EXPECT_EQ(must(view->features(id)).hashes, make_sequence(values).hashes) << id;
  }
  const FeatureSequence query = make_sequence(expected_.at("d7"));
  SearchRequest request;
  request.query = &query;
  request.evidence = true;
  for (const Hit& hit : must(view->search(request)).hits) EXPECT_FALSE(hit.passages.empty());
  std::uint64_t pairs = 0;
  must(view->pairs({}, [&](const DocumentPair&) -> Result<void> {
    ++pairs;
    return {};
  }));
  std::uint64_t defined = 0;
  for (auto a = expected_.begin(); a != expected_.end(); ++a) {
    for (auto b = std::next(a); b != expected_.end(); ++b)
      defined += naive_x(a->second, b->second) > 0 ? 1 : 0;
  }
  EXPECT_EQ(pairs, defined);
}

TEST_P(ShardFaults, WritingThatWasGivenUpCannotComeBack) {
  fill(10);
  // Its inserts wait, others use the table.
  auto stall = must(pg::Connection::open(shards_[0]));
  must(stall->command(
      of_store("CREATE FUNCTION akin.stall() RETURNS trigger LANGUAGE plpgsql AS"
               " 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';"
               "CREATE TRIGGER stall BEFORE INSERT ON akin.postings_@ EXECUTE FUNCTION akin.stall();"
               "SELECT pg_advisory_lock(1)")));
  Documents batch;
  for (std::uint64_t i = 0; i < 30; ++i) batch[numbered("b", i)] = random_.values(80);
  auto outcome = std::async(std::launch::async, [&] { return put_all(batch); });
  await([&] {
    return ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", 0) > 0;
  });
  age_pending();
  // Another akin takes it for dead while it only waits.
  EXPECT_EQ(erase_gone(), 30);
  stall.reset();
  const auto refused = outcome.get();
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::busy) << refused.error().message();
  EXPECT_EQ(erase_gone(), 30) << "what it wrote after that";
  expect_exact();
  EXPECT_EQ(count_content(), static_cast<std::int64_t>(expected_.size()));
}

TEST_P(ShardFaults, ASearchWithoutAShardIsAnErrorAndExactAgainAfterwards) {
  fill(90);
  expect_exact();  // connections of every kind are open
  const Values query = random_.values(120);
  for (int round = 0; round < 2; ++round) {
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    must(search(*view, query));
    kill_shard(2);
    for (int i = 0; i < 3; ++i) {
      const auto refused = search(query);
      ASSERT_TRUE(refused.has_error());
      EXPECT_EQ(refused.error().code, Errc::unavailable) << refused.error().message();
    }
    EXPECT_TRUE(search(*view, query).has_error());
    start_shard(2);
    EXPECT_EQ(told(must(search(*view, query))), hits_by_definition(expected_, query, 0))
        << "its view of the directory is still there, and any later one of the shard will do";
    EXPECT_EQ(told(must(search(query))), hits_by_definition(expected_, query, 0));
    must(put("d1", query));
    expected_["d1"] = query;
    expect_exact();
  }
}

TEST_P(ShardFaults, AShardThatDiesInMidQueryIsAnError) {
  fill(90);
  for (int round = 0; round < 2; ++round) {
    const Values query = random_.values(120);
    const Stall stall(shards_[1], of_store("akin.postings_@"));
    auto outcome = std::async(std::launch::async, [&] { return search(query); });
    stall.await();
    kill_shard(1);
    const auto refused = outcome.get();
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::unavailable) << refused.error().message();
    start_shard(1);
    EXPECT_EQ(told(must(search(query))), hits_by_definition(expected_, query, 0));
  }
  expect_exact();
}

TEST_P(ShardFaults, ContentIsErasedWhenNoSnapshotWantsItAnyMore) {
  fill(60);
  const Values replaced = expected_.at("d1"), removed = expected_.at("d2");
  {
    // It has not queried any shard yet.
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    must(put("d1", random_.values(80)));
    must(store_->remove({"d2"}));
    must(store_->flush_and_merge(true));
    EXPECT_EQ(ask("SELECT count(*) FROM akin.tombstones_@"), 2);
    EXPECT_EQ(must(view->text("d1")), make_text(replaced));
    EXPECT_EQ(must(view->features("d2")).hashes, make_sequence(removed).hashes);
    EXPECT_EQ(told(must(search(*view, removed, 0))), hits_by_definition(expected_, removed, 0));
    std::uint64_t findings = must(view->verify(nullptr, nullptr));
    EXPECT_EQ(findings, 0U);
  }
  must(store_->flush_and_merge(true));
  EXPECT_EQ(ask("SELECT count(*) FROM akin.tombstones_@"), 0);
  EXPECT_EQ(count_content(), 59);
}

TEST_P(ShardFaults, AnOpeningDropsTablesOfNoStoreAndDoesWithoutAShard) {
  fill(10);
  const auto open = [this] { must(pg::open_catalog(database_, nullptr, true)); };
  // As makers that were killed leave them; a store without a collection is one, too.
  const auto retire = must(pg::Connection::open(database_));
  must(retire->command(of_store("UPDATE akin.stores SET retired = 1 WHERE store = @")));
  for (const std::string& shard : shards_) {
    must(must(pg::Connection::open(shard))
             ->command(
                 "CREATE TABLE akin.contents_999 (doc bigint); CREATE TABLE akin.postings_999 (doc bigint)"));
  }
  const std::string tables =
      "SELECT count(*) FROM pg_tables WHERE schemaname = 'akin' AND tablename ~ '_[0-9]+$'";
  EXPECT_EQ(ask(tables, 0), 7);
  kill_shard(0);
  open();
  start_shard(0);
  EXPECT_EQ(ask(tables, 0), 7);
  open();
  for (std::size_t shard = 0; shard < kShards; ++shard) EXPECT_EQ(ask(tables, shard), 0) << shard;
}

INSTANTIATE_TEST_SUITE_P(Three, ShardFaults, testing::Values(3));

/// Of one database, and of the coordinator of shards.
class ServerFaults : public FaultTest {};

TEST_P(ServerFaults, ARestartIsNotNoticedByWhoComesAfterIt) {
  fill(60);
  expect_exact();
  for (int round = 0; round < 2; ++round) {
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    kill_test_server();
    const auto refused = search(random_.values(80));
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::unavailable) << refused.error().message();
    start_test_server();
    if (round == 0) {
      must(put("d1", expected_["d1"] = random_.values(80)));
    }
    expect_exact();
    EXPECT_TRUE(search(*view, random_.values(80)).has_error());
  }
}

TEST_P(ServerFaults, ConnectionsThatTheServerEndedAreNotHandedOut) {
  fill(10);
  const Values query = random_.values(120);
  for (int round = 0; round < 3; ++round) {
    {
      std::vector<std::unique_ptr<Snapshot>> views;
      views.reserve(4);
      for (int i = 0; i < 4; ++i) views.push_back(must(store_->snapshot()));
    }
    EXPECT_GE(ask("SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
                  " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"),
              4);
    EXPECT_EQ(told(must(search(query))), hits_by_definition(expected_, query, 0));
    must(put("d1", expected_["d1"]));
  }
}

TEST_P(ServerFaults, AServerThatDiesBeforeThePutIsCommittedHasNothingOfIt) {
  fill(60);
  const Values values = random_.values(80);
  const std::string table = of_store(is_sharded() ? "akin.documents_@" : "akin.postings_@");
  for (const char* const id : {"new", "d7"}) {
    const Stall stall(database_, table);
    auto outcome = std::async(std::launch::async, [&] { return put(id, values); });
    stall.await();
    kill_test_server();
    const auto refused = outcome.get();
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::unavailable) << refused.error().message();
    start_test_server();
    expect_exact();
    must(put(id, values));
    expected_[id] = values;
    expect_exact();
  }
}

TEST_P(ServerFaults, AStatementsTimeOutIsAnErrorWithItsCode) {
  fill(60);
  const auto impatient = std::make_shared<pg::Pool>(database_ + " options='-c statement_timeout=200ms'");
  const auto store = must(pg::PgStore::open(impatient, store_->number()));
  const std::string slow_server = is_sharded() ? shards_[1] : database_;
  const Values query = random_.values(120);
  {
    // The snapshot has the tables of one database locked before anybody else can.
    const std::unique_ptr<Snapshot> view = is_sharded() ? must(store->snapshot()) : nullptr;
    const Stall stall(slow_server, of_store("akin.postings_@"));
    const auto refused = view ? search(*view, query) : [&]() -> Result<SearchResult> {
      AKIN_TRY(const std::unique_ptr<Snapshot> late, store->snapshot());
      return search(*late, query);
    }();
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::timed_out) << refused.error().message();
  }
  EXPECT_EQ(told(must(search(*must(store->snapshot()), query))), hits_by_definition(expected_, query, 0));
  expect_exact();
}

INSTANTIATE_TEST_SUITE_P(Topologies, ServerFaults, testing::Values(0, 3),
                         [](const auto& shards) { return shards.param == 0 ? "One" : "Three"; });

}  // namespace
}  // namespace akin::test
