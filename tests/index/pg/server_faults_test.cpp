// A server that dies in the midst of writes and searches: an error with a code, and nothing half.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/index/pg/fault_fixture.h"
#include "tests/support/database.h"

namespace akin::test {
namespace {

class ServerFaults : public FaultTest {};

TEST_F(ServerFaults, ARestartIsNotNoticedByWhoComesAfterIt) {
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

TEST_F(ServerFaults, ConnectionsThatTheServerEndedAreNotHandedOut) {
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

TEST_F(ServerFaults, AServerThatDiesBeforeThePutIsCommittedHasNothingOfIt) {
  fill(60);
  const Values values = random_.values(80);
  const std::string table = of_store("akin.postings_@");
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

TEST_F(ServerFaults, AStatementsTimeOutIsAnErrorWithItsCode) {
  fill(60);
  const auto impatient = std::make_shared<pg::Pool>(database_ + " options='-c statement_timeout=200ms'");
  const auto store = must(pg::PgStore::open(impatient, store_->number()));
  const Values query = random_.values(120);
  {
    const Stall stall(database_, of_store("akin.postings_@"));
    const auto refused = [&]() -> Result<SearchResult> {
      AKIN_TRY(const std::unique_ptr<Snapshot> late, store->snapshot());
      return search(*late, query);
    }();
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::timed_out) << refused.error().message();
  }
  EXPECT_EQ(told(must(search(*must(store->snapshot()), query))), hits_by_definition(expected_, query, 0));
  expect_exact();
}

}  // namespace
}  // namespace akin::test
