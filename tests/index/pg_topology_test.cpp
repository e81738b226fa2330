// A database with shards on servers of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/pg/foreign_server.h"
#include "index/pg/topology.h"
#include "tests/support/database.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using pg::TopologyKind;
using testing::HasSubstr;
using testing::Not;

class TopologyTest : public testing::Test {
 protected:
  [[nodiscard]] Result<void> init(const std::vector<std::string>& shards) const {
    return pg::init_topology(database_, {TopologyKind::shards, shards});
  }
  [[nodiscard]] pg::Topology read() const {
    return must(pg::read_topology(*must(pg::Connection::open(database_))));
  }
  /// The number of rows, each asked through the coordinator, of what shards say they are.
  [[nodiscard]] std::int64_t ask(const std::string& sql) const {
    const auto connection = must(pg::Connection::open(database_));
    return must(connection->run(sql)).number(0, 0);
  }
  void refuse(const std::vector<std::string>& shards, Errc code, const std::string& reason) const {
    const auto refused = init(shards);
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, code);
    EXPECT_THAT(refused.error().message(), HasSubstr(reason));
  }

  std::string database_ = must(make_test_database());
  std::vector<std::string> shards_ = must(make_test_shards(3));
};

TEST_F(TopologyTest, ADatabaseThatNobodyHasMadeIsSingle) {
  EXPECT_EQ(read().kind, TopologyKind::single);
  EXPECT_THAT(read().cluster, testing::IsEmpty());
  must(pg::init_topology(database_, {}));
  EXPECT_EQ(read().kind, TopologyKind::single);
  EXPECT_EQ(read().cluster.size(), 32U);
}

TEST_F(TopologyTest, ShardsAreReachedDirectlyAndThroughTheCoordinator) {
  must(init(shards_));
  const pg::Topology topology = read();
  EXPECT_EQ(topology.kind, TopologyKind::shards);
  ASSERT_EQ(topology.shards.size(), 3U);
  for (std::size_t number = 0; number < 3; ++number) {
    const pg::Shard& shard = topology.shards[number];
    EXPECT_EQ(shard.number, static_cast<std::int64_t>(number));
    EXPECT_EQ(shard.server, "akin_shard_" + std::to_string(number));
    const auto connection = must(pg::Connection::open(shard.conninfo));
    const auto rows = must(connection->run("SELECT shard, cluster FROM akin.shard_of"));
    EXPECT_EQ(rows.number(0, 0), shard.number);
    EXPECT_EQ(rows.bytes(0, 1), topology.cluster);
    EXPECT_EQ(ask("SELECT shard FROM akin.shard_of_" + std::to_string(number)), shard.number);
  }
}

TEST_F(TopologyTest, TheSameAgainChangesNothingAndMoreAreAdded) {
  must(init({shards_[0], shards_[1]}));
  const std::string cluster = read().cluster;
  must(init({shards_[0], shards_[1]}));
  EXPECT_EQ(read().shards.size(), 2U);
  must(init(shards_));
  EXPECT_EQ(read().shards.size(), 3U);
  EXPECT_EQ(read().cluster, cluster);
  EXPECT_EQ(ask("SELECT count(*) FROM pg_foreign_server"), 3);
}

TEST_F(TopologyTest, ASingleDatabaseMayBecomeTheCoordinatorOfShards) {
  must(pg::init_topology(database_, {}));
  must(init(shards_));
  EXPECT_EQ(read().kind, TopologyKind::shards);
}

TEST_F(TopologyTest, AShardMayHaveAnotherAddress) {
  must(init(shards_));
  std::vector<std::string> moved = shards_;
  moved[1] += " application_name='it''s akin'";
  moved[1].replace(moved[1].find("''"), 2, "\\'");
  must(init(moved));
  EXPECT_THAT(read().shards[1].conninfo, HasSubstr("it\\'s akin"));
  EXPECT_EQ(ask("SELECT count(*) FROM pg_foreign_server s, pg_options_to_table(s.srvoptions)"
                " WHERE option_value = 'it''s akin'"),
            1);
  must(init(shards_));
  EXPECT_EQ(ask("SELECT count(*) FROM pg_foreign_server s, pg_options_to_table(s.srvoptions)"
                " WHERE option_name = 'application_name'"),
            0);
}

TEST_F(TopologyTest, WhatHoldsDataIsNotTakenAway) {
  must(init(shards_));
  refuse({shards_[0], shards_[1]}, Errc::mismatch, "there are 3, and none can be removed");
  refuse({shards_[0], shards_[2], shards_[1]}, Errc::mismatch, "shard 1, database: it is shard 2");
  const auto others = must(make_test_shards(3));
  refuse({shards_[0], others[1], shards_[2]}, Errc::mismatch, "shard 1, database: it is not the shard");
  const auto single = pg::init_topology(database_, {});
  ASSERT_TRUE(single.has_error());
  EXPECT_THAT(single.error().message(), HasSubstr("its topology is shards"));
  EXPECT_EQ(read().shards.size(), 3U);
}

TEST_F(TopologyTest, ADatabaseIsOneShardOfOneCluster) {
  refuse({shards_[0], shards_[0]}, Errc::busy, "shard 1, database: another init");
  refuse({shards_[0], database_}, Errc::busy, "shard 1, database: another init");
  must(init(shards_));
  const std::string other = must(make_test_database());
  const auto stolen = pg::init_topology(other, {TopologyKind::shards, {shards_[0]}});
  ASSERT_TRUE(stolen.has_error());
  EXPECT_THAT(stolen.error().message(), HasSubstr("shard of another cluster"));
  const auto nested = pg::init_topology(shards_[0], {});
  ASSERT_TRUE(nested.has_error());
  EXPECT_THAT(nested.error().message(), HasSubstr("it is a shard of a cluster"));
}

TEST_F(TopologyTest, WhatAnInitThatFailedHadToldAShardIsTakenBack) {
  const std::string nobody = "host=/nowhere dbname=x password=hush";
  const auto failed = init({shards_[0], shards_[1], nobody});
  ASSERT_TRUE(failed.has_error());
  EXPECT_THAT(failed.error().message(), HasSubstr("shard 2, database"));
  EXPECT_THAT(failed.error().message(), Not(HasSubstr("hush")));
  // The shards were marked, but the coordinator died before it committed.
  {
    const auto shard = must(pg::Connection::open(shards_[1]));
    must(shard->command("CREATE SCHEMA akin; CREATE TABLE akin.shard_of (cluster bytea, shard bigint)"));
    must(shard->run("INSERT INTO akin.shard_of VALUES ($1, 7)", pg::Params().bytes(read().cluster)));
  }
  must(init({shards_[2], shards_[1]}));
  EXPECT_EQ(ask("SELECT shard FROM akin.shard_of_1"), 1);
}

TEST_F(TopologyTest, AKilledShardIsAnErrorThatNamesIt) {
  must(init(shards_));
  kill_test_shard(2);
  refuse(shards_, Errc::unavailable, "shard 2");
  start_test_shard(2);
  must(init(shards_));
}

TEST_F(TopologyTest, WhatIsNoConnectionStringIsNotRepeated) {
  for (const char* const wrong : {"host=a b password=hush", "postgres://a:hush@b:c:d/?x"}) {
    const auto refused = init({wrong});
    ASSERT_TRUE(refused.has_error()) << wrong;
    EXPECT_EQ(refused.error().code, Errc::invalid_argument) << refused.error().message();
    EXPECT_THAT(refused.error().message(), Not(HasSubstr("hush")));
  }
  refuse({}, Errc::invalid_argument, "none is given");
}

TEST_F(TopologyTest, NoSettingComesWithTheLoginToAShard) {
  must(init(shards_));
  EXPECT_EQ(ask("SELECT count(*) FROM pg_foreign_server s, pg_options_to_table(s.srvoptions)"
                " WHERE option_name = 'options'"),
            0)
      << "poolers refuse it";
  const auto shard = must(pg::Connection::open(shards_[0]));
  const auto rows =
      must(shard->run("SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d"
                      " ON d.oid = s.setdatabase WHERE d.datname = current_database()"
                      " AND 'jit=off' = ANY(s.setconfig)"));
  EXPECT_EQ(rows.number(0, 0), 1);
}

TEST(ForeignServer, OnlySecretsAreKeptFromPeople) {
  const std::string conninfo = "postgres://me:hush@h:5/db?connect_timeout=3";
  EXPECT_EQ(pg::shown_conninfo(conninfo), "dbname=db host=h port=5");
  auto options = must(pg::parse_conninfo(conninfo));
  pg::add_time_limits(options);
  EXPECT_THAT(pg::conninfo_of(options),
              testing::AllOf(HasSubstr("connect_timeout='3'"), HasSubstr("password='hush'"),
                             HasSubstr("keepalives_idle='10'")));
}

}  // namespace
}  // namespace akin::test
