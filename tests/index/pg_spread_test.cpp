// A cluster that gets another shard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/pg/pool.h"
#include "index/pg/topology.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

TEST_F(CatalogTest, SpreadACollectionOverAnAddedShardWhenItIsCompacted) {
  if (wanted_shards() != 0) GTEST_SKIP() << "makes shards of its own";
  const std::string database = must(make_test_database());
  const std::vector<std::string> shards = must(make_test_shards(4));
  must(pg::init_topology(database, {pg::TopologyKind::shards, {shards.begin(), shards.end() - 1}}));
  database_ = database;
  reopen();
  const auto books = must(catalog_->create("books", "", true));
  std::vector<std::string> stored;
  for (std::uint64_t i = 0; i < 40; ++i) {
    stored.push_back(numbered("d", i));
    put(*books, stored.back(), text_of(stored.back(), 12));
  }
  const std::vector<std::string> hits = found(*books, text_of("d7", 12));
  must(pg::init_topology(database, {pg::TopologyKind::shards, shards}));
  put(*books, "later", text_of("later", 12));
  const auto connection = must(pg::Connection::open(database));
  const auto parts = [&] {
    return must(connection->run("SELECT max(count) FROM (SELECT count(*) FROM akin.parts"
                                " JOIN akin.collections USING (store) GROUP BY store) c"))
        .number(0, 0);
  };
  EXPECT_EQ(parts(), 3) << "it stays where it is";
  must(catalog_->compact("books", {}));
  EXPECT_EQ(parts(), 4);
  const auto spread = must(catalog_->get("books"));
  stored.emplace_back("later");
  std::ranges::sort(stored);
  EXPECT_EQ(ids(*spread), stored);
  EXPECT_EQ(found(*spread, text_of("d7", 12)), hits);
  EXPECT_THAT(verify(*spread), testing::IsEmpty());
  const auto added = must(pg::Connection::open(shards[3]));
  const auto table =
      must(added->run("SELECT tablename FROM pg_tables WHERE tablename ~ '^contents_[0-9]+$'"));
  ASSERT_EQ(table.size(), 1U);
  const auto rows = must(added->run_once("SELECT count(*) FROM akin." + std::string(table.bytes(0, 0))));
  EXPECT_GT(rows.number(0, 0), 0);
}

}  // namespace
}  // namespace akin::test
