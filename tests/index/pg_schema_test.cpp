// The schema in the database: its version, and what it says of itself.
#include "index/pg/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "index/pg/catalog.h"
#include "index/pg/format.h"
#include "index/pg/store.h"
#include "index/pg/topology.h"
#include "tests/support/database.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

TEST(PgSchema, OfAnotherVersionIsRefused) {
  const auto connection = must(pg::Connection::open(must(make_test_database())));
  must(pg::make_schema(*connection));
  const std::string own = std::to_string(pg::kSchemaVersion);
  for (const std::int64_t version : {pg::kSchemaVersion - 1, pg::kSchemaVersion + 1}) {
    const std::string other = std::to_string(version);
    must(connection->command("UPDATE akin.version SET version = " + other));
    const auto refused = pg::make_schema(*connection);
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::mismatch);
    EXPECT_THAT(refused.error().message(), testing::AllOf(testing::HasSubstr("it has the version " + other),
                                                          testing::HasSubstr("this akin knows " + own),
                                                          testing::HasSubstr("use the akin that made it")));
  }
}

TEST(PgSchema, OfAnotherVersionIsRefusedByEveryOpening) {
  const std::string database = must(make_test_database());
  const auto pool = std::make_shared<pg::Pool>(database);
  const pg::StoreNumber store = must(pg::PgStore::create(pool, {"scheme", "fingerprint", "ru"}))->number();
  for (const std::int64_t version : {pg::kSchemaVersion - 1, pg::kSchemaVersion + 2}) {
    must(must(pool->lease())->command("UPDATE akin.version SET version = " + std::to_string(version)));
    const auto expect_refused = [&](const auto& opened, const char* opening) {
      ASSERT_TRUE(opened.has_error()) << opening << " of version " << version;
      EXPECT_EQ(opened.error().code, Errc::mismatch) << opened.error().message();
    };
    expect_refused(pg::open_catalog(database, nullptr, false), "to read");
    expect_refused(pg::open_catalog(database, nullptr, true), "to write");
    expect_refused(pg::PgStore::open(pool, store), "a store");
    expect_refused(pg::init_topology(database, {}), "init");
  }
}

TEST(PgSchema, HasACommentOnEveryTable) {
  const std::string database = must(make_test_database());
  const auto pool = std::make_shared<pg::Pool>(database);
  must(pg::PgStore::create(pool, {"scheme", "fingerprint", "ru"}));
  const auto connection = must(pg::Connection::open(database));
  const pg::Rows bare = must(
      connection->run("SELECT relname::text::bytea FROM pg_class WHERE relnamespace = 'akin'::regnamespace"
                      " AND relkind IN ('r', 'p', 'v', 'S') AND relname <> 'stores_store_seq'"
                      " AND obj_description(oid, 'pg_class') IS NULL ORDER BY relname"));
  std::string names;
  for (std::size_t row = 0; row < bare.size(); ++row) names += std::string(bare.bytes(row, 0)) + " ";
  EXPECT_EQ(names, "");
}

}  // namespace
}  // namespace akin::test
