// Work in a database that fails in the background is counted and warned of, and a later round does it.
#include "index/pg/background.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "index/collection/catalog.h"
#include "index/pg/catalog.h"
#include "index/pg/store.h"
#include "index/pg/tables/format.h"
#include "tests/support/database.h"
#include "tests/support/failure_warnings.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class BackgroundOfDatabase : public StoreTest {};

TEST_F(BackgroundOfDatabase, CountsAMergeThatFails) {
  const auto pool = test_database();
  const pg::StoreNumber none{number_ + 1'000'000};
  const std::uint64_t before = failures_of(Round::merge_in_database);
  pg::Background background(pool, none);
  background.add({.postings = 10'000'000});
  while (failures_of(Round::merge_in_database) == before)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST_F(BackgroundOfDatabase, MergesBesideWritesOnceAMergeHasFailed) {
  const auto pool = test_database();
  const pg::StoreNumber own{number_};
  const auto connection = must(pool->borrow());
  const auto waiting = [&] {
    return must(connection->run(pg::of_store("SELECT count(*) FROM akin.tombstones_@", own))).number(0, 0);
  };
  for (int i = 0; i < 20; ++i) put(numbered("d", i), {1, 2, 3});
  for (int i = 0; i < 20; ++i) put(numbered("d", i), {2, 3, 4});
  ASSERT_GT(waiting(), 0) << "what a merge removes";
  const std::string renamed = pg::of_store("akin.aside_@", own).substr(sizeof("akin.") - 1);
  must(connection->command(pg::of_store("ALTER TABLE akin.tombstones_@ RENAME TO ", own) + renamed));
  const std::uint64_t before = failures_of(Round::merge_in_database);
  pg::Background background(pool, own);
  const pg::Written much{.gone = 1'000'000, .postings = 10'000'000, .documents = 20};
  background.add(much);
  while (failures_of(Round::merge_in_database) == before)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  must(connection->command("ALTER TABLE akin." + renamed + pg::of_store(" RENAME TO tombstones_@", own)));
  EXPECT_EQ(found({2, 3}).size(), 20U);
  while (waiting() > 0) {
    background.add(much);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(found({2, 3}).size(), 20U);
  EXPECT_THAT(verify(), testing::IsEmpty());
}

/// Dropping stores that nothing uses, in a database of its own.
class UnusedStores : public testing::Test {
 protected:
  UnusedStores() {
    const auto pool = std::make_shared<pg::Pool>(database_);
    must(pg::PgStore::create(pool, {"sentence-pairs", "fingerprint", "ru"}));
    owner_ = must(pg::Connection::open(database_));
    must(owner_->command("UPDATE akin.stores SET retired = 1"));
  }

  /// Makes a role that has these rights on all tables; its name. Roles belong to the server, not a database.
  [[nodiscard]] std::string make_role(const std::string& rights) const {
    static int made = 0;
    std::string role = numbered("role", made++);
    must(owner_->command("CREATE ROLE " + role + "; GRANT USAGE ON SCHEMA akin TO " + role + "; GRANT " +
                         rights + " ON ALL TABLES IN SCHEMA akin TO " + role));
    return role;
  }
  /// How many failures a server counts that logs in as this role: at its start, and in a round.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> failures_of_server(const std::string& role) const {
    const std::uint64_t before = failures();
    const std::string login = database_ + " options='-c role=" + role + "'";
    const auto catalog = must(pg::open_catalog(login, nullptr, false));
    const std::uint64_t at_start = failures() - before;
    must(catalog->drop_expired(by_the_clock));
    return {at_start, failures() - before - at_start};
  }
  [[nodiscard]] std::int64_t stores() const {
    return must(owner_->run("SELECT count(*) FROM akin.stores")).number(0, 0);
  }
  [[nodiscard]] static std::uint64_t failures() { return failures_of(Round::drop_unused_stores); }

  FailureWarnings warnings_;
  const std::string database_ = must(make_test_database());
  std::unique_ptr<pg::Connection> owner_;
};

TEST_F(UnusedStores, AreDroppedByALaterRoundIfOneFails) {
  must(
      owner_->command("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                      " $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$;"
                      " CREATE TRIGGER refuse BEFORE DELETE ON akin.stores EXECUTE FUNCTION refuse()"));
  EXPECT_EQ(failures_of_server("akin"), std::pair(1UL, 1UL));
  EXPECT_THAT(FailureWarnings::lines(),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("'drop_unused_stores' failed"),
                                                  testing::HasSubstr("the disk is full"))));
  EXPECT_EQ(stores(), 1);
  must(owner_->command("DROP TRIGGER refuse ON akin.stores"));
  EXPECT_EQ(failures_of_server("akin"), std::pair(0UL, 0UL));
  EXPECT_EQ(stores(), 0);
}

TEST_F(UnusedStores, AreNoConcernOfAServerThatMayOnlyRead) {
  EXPECT_EQ(failures_of_server(make_role("SELECT")), std::pair(0UL, 0UL));
  EXPECT_THAT(FailureWarnings::lines(), testing::IsEmpty());
  EXPECT_EQ(stores(), 1);
}

TEST_F(UnusedStores, ThatAWriterLacksTheRightToDropAreAFailure) {
  const std::string writer = make_role("SELECT, INSERT, UPDATE, DELETE");
  EXPECT_EQ(failures_of_server(writer), std::pair(1UL, 1UL)) << "only a table's owner may drop it";
  EXPECT_THAT(FailureWarnings::lines(),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("'drop_unused_stores' failed"),
                                                  testing::HasSubstr("must be owner"))));
  EXPECT_EQ(stores(), 1);
}

}  // namespace
}  // namespace akin::test
