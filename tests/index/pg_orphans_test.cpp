#include "index/pg/orphans.h"

#include <gtest/gtest.h>

#include "index/pg/schema.h"
#include "tests/index/database.h"

namespace akin::test {
namespace {

class PgOrphansTest : public testing::Test {
 protected:
  PgOrphansTest() {
    EXPECT_TRUE(pg::make_schema(*connection_).has_value());
    EXPECT_TRUE(pg::begin(*connection_).has_value());
    store_ = pg::make_store(*connection_, {"sentences", "fingerprint", "none", true}).value();
    EXPECT_TRUE(pg::commit(*connection_).has_value());
  }
  [[nodiscard]] std::uint64_t retired() { return pg::retire_orphans(*connection_).value(); }

  const std::string conninfo_ = make_test_database().value();
  const std::unique_ptr<pg::Connection> connection_ = pg::Connection::open(conninfo_).value();
  pg::StoreNumber store_{};
};

TEST_F(PgOrphansTest, StoreOfNobodyIsRetiredOnce) {
  EXPECT_EQ(retired(), 1U);
  EXPECT_EQ(retired(), 0U);
}

TEST_F(PgOrphansTest, StoreOfACollectionStays) {
  ASSERT_TRUE(
      connection_
          ->run("INSERT INTO akin.collections (name, store, generation, token) VALUES ($1, $2, 1, $1)",
                pg::Params().bytes("books").number(static_cast<std::int64_t>(store_)))
          .has_value());
  EXPECT_EQ(retired(), 0U);
}

TEST_F(PgOrphansTest, StoreStaysWhileAJobIsAtWork) {
  const auto job = pg::Connection::open(conninfo_).value();
  ASSERT_TRUE(job->command("SELECT pg_advisory_lock(4704133, 7)").has_value());
  EXPECT_EQ(retired(), 0U);
  ASSERT_TRUE(job->command("SELECT pg_advisory_unlock(4704133, 7)").has_value());
  EXPECT_EQ(retired(), 1U);
}

}  // namespace
}  // namespace akin::test
