// The schema in the database: its version, and what it says of itself.
#include "index/pg/tables/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "index/pg/catalog.h"
#include "index/pg/servers/init.h"
#include "index/pg/servers/store_check.h"
#include "index/pg/store.h"
#include "index/pg/tables/format.h"
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
    must(connection->command("UPDATE akin.format SET version = " + other));
    const auto refused = pg::make_schema(*connection);
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::mismatch);
    EXPECT_THAT(refused.error().message(), testing::AllOf(testing::HasSubstr("it has the version " + other),
                                                          testing::HasSubstr("this akin knows " + own),
                                                          testing::HasSubstr("use the akin that made it")));
  }
}

/// A schema that this akin cannot read, and what every opening says of it.
struct ForeignSchema {
  const char* name;
  std::string sql;  ///< makes it from one of this akin
  Errc code;
  std::string reason;
};

class PgForeignSchema : public testing::TestWithParam<ForeignSchema> {};

TEST_P(PgForeignSchema, IsRefusedByEveryOpening) {
  const std::string database = must(make_test_database());
  const auto pool = std::make_shared<pg::Pool>(database);
  const pg::StoreNumber store = must(pg::PgStore::create(pool, {"scheme", "fingerprint", "ru"}))->number();
  must(must(pool->borrow())->command(GetParam().sql));
  const auto expect_refused = [](const auto& opened, const char* opening) {
    ASSERT_TRUE(opened.has_error()) << opening;
    EXPECT_EQ(opened.error().code, GetParam().code) << opening;
    EXPECT_THAT(opened.error().message(), testing::HasSubstr(GetParam().reason)) << opening;
  };
  expect_refused(pg::open_catalog(database, nullptr, false), "to read");
  expect_refused(pg::open_catalog(database, nullptr, true), "to write");
  expect_refused(pg::PgStore::open(pool, store), "a store");
  expect_refused(pg::init_database(database), "init");
  const auto checked = must(pg::check_database(database));
  EXPECT_TRUE(checked.has_failure());
  EXPECT_EQ(checked.all().back().what, "database: schema akin") << "nothing else is checked";
  EXPECT_THAT(checked.all().back().value, testing::HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, PgForeignSchema,
    testing::Values(
        ForeignSchema{"OfAnEarlierVersion",
                      "UPDATE akin.format SET version = " + std::to_string(pg::kSchemaVersion - 1),
                      Errc::mismatch, "it has the version " + std::to_string(pg::kSchemaVersion - 1)},
        ForeignSchema{"OfALaterVersion",
                      "UPDATE akin.format SET version = " + std::to_string(pg::kSchemaVersion + 2),
                      Errc::mismatch, "it has the version " + std::to_string(pg::kSchemaVersion + 2)},
        ForeignSchema{"BeforeTheFirstRelease", "CREATE TABLE akin.version (version bigint)", Errc::mismatch,
                      "an akin before the first release made its tables"}),
    [](const auto& one) { return one.param.name; });

TEST(PgSchema, OfAnEarlierAkinIsRefusedAndTheWayToKeepItsCollectionsNamed) {
  const auto connection = must(pg::Connection::open(must(make_test_database())));
  must(
      connection->command("CREATE SCHEMA akin; CREATE TABLE akin.version (version bigint NOT NULL);"
                          "INSERT INTO akin.version VALUES (1)"));
  const auto refused = pg::make_schema(*connection);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::mismatch);
  EXPECT_THAT(refused.error().remedy,
              testing::AllOf(testing::HasSubstr("akin export"), testing::HasSubstr("akin import")));
}

TEST(PgSchema, AStoreOfAnotherFormatIsRefused) {
  const auto pool = std::make_shared<pg::Pool>(must(make_test_database()));
  const pg::StoreNumber store = must(pg::PgStore::create(pool, {"scheme", "fingerprint", "ru"}))->number();
  const auto set_format = [&](std::int64_t format) {
    must(must(pool->borrow())->command("UPDATE akin.stores SET format = " + std::to_string(format)));
  };
  for (const std::int64_t format : {pg::kStoreFormat - 1, pg::kStoreFormat + 1}) {
    set_format(format);
    const auto opened = pg::PgStore::open(pool, store);
    ASSERT_TRUE(opened.has_error());
    EXPECT_EQ(opened.error().code, Errc::mismatch);
    EXPECT_THAT(opened.error().reason, testing::HasSubstr("it has the format " + std::to_string(format)));
    EXPECT_EQ(opened.error().remedy, "use the akin that made it");
  }
  set_format(pg::kStoreFormat);
  must(pg::PgStore::open(pool, store));
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
