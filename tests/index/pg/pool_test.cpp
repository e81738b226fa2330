// Connections to a server that does not answer, and to one that refuses.
#include "index/pg/client/pool.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/database.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using std::chrono::steady_clock;

/// A server that accepts connections and never says anything.
class MuteServer {
 public:
  MuteServer() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_, 16), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~MuteServer() { ::close(socket_); }
  MuteServer(const MuteServer&) = delete;
  MuteServer& operator=(const MuteServer&) = delete;
  [[nodiscard]] std::string conninfo() const {
    return "host=127.0.0.1 dbname=x user=x connect_timeout=2 port=" + std::to_string(port_);
  }

 private:
  int socket_;
  unsigned port_ = 0;
};

Errc code_of(const Result<pg::Pool::Loan>& loan) {
  return loan.has_error() ? loan.error().code : Errc::internal;
}

TEST(PgPool, OneCallerAtATimeWaitsForAServerThatDoesNotAnswer) {
  const MuteServer mute;
  const auto pool = std::make_shared<pg::Pool>(mute.conninfo());
  EXPECT_EQ(code_of(pool->borrow()), Errc::unavailable);
  const auto start = steady_clock::now();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(code_of(pool->borrow()), Errc::unavailable);
  // If each waited for the server, they would take 200 s.
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(20)) << "the circuit is open";
}

TEST(PgPool, RecoversAloneWhenTheServerIsBack) {
  const auto pool = std::make_shared<pg::Pool>(must(make_test_database()));
  must(must(pool->borrow())->command("SELECT"));
  kill_test_server();
  std::string said;
  for (int i = 0; i < 3; ++i) {
    const auto loan = pool->borrow();
    EXPECT_EQ(code_of(loan), Errc::unavailable);
    if (loan.has_error()) said = loan.error().message();
  }
  EXPECT_THAT(said, testing::HasSubstr("check that the server runs"));
  start_test_server();
  must(must(pool->borrow())->command("SELECT"));
}

/// The error of a loan that another thread asks for.
std::future<std::optional<Errc>> error_elsewhere(const std::shared_ptr<pg::Pool>& pool) {
  return std::async(std::launch::async, [pool]() -> std::optional<Errc> {
    const auto loan = pool->borrow();
    if (loan.has_error()) return loan.error().code;
    return std::nullopt;
  });
}

TEST(PgPool, ACallerWaitsForAConnectionThatIsReturned) {
  const auto pool = std::make_shared<pg::Pool>(must(make_test_database()), 1);
  std::optional loan(must(pool->borrow()));
  auto other = error_elsewhere(pool);
  EXPECT_EQ(other.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  loan.reset();
  EXPECT_EQ(other.get(), std::nullopt);
}

TEST(PgPool, ACallerForWhomNoneIsReturnedIsToldToTryAgain) {
  const auto pool = std::make_shared<pg::Pool>(must(make_test_database()), 1, std::chrono::milliseconds(50));
  const auto loan = must(pool->borrow());
  EXPECT_EQ(error_elsewhere(pool).get(), Errc::busy);
}

TEST(PgPool, WhoHasAConnectionDoesNotWaitForAnother) {
  const auto pool = std::make_shared<pg::Pool>(must(make_test_database()), 1);
  const auto first = must(pool->borrow());
  must(must(pool->borrow())->command("SELECT"));
}

TEST(PgPool, ACallerWaitsForASlotOfTheServer) {
  const std::string conninfo = must(make_test_database());
  must(must(pg::Connection::open(conninfo))->command("CREATE ROLE limited LOGIN CONNECTION LIMIT 1"));
  const auto pool = std::make_shared<pg::Pool>(conninfo + " user=limited");
  std::optional loan(must(pool->borrow()));
  auto other = error_elsewhere(pool);
  EXPECT_EQ(other.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
  loan.reset();
  EXPECT_EQ(other.get(), std::nullopt);
}

TEST(PgPool, NamesStatementsByTheirContent) {
  const auto connection = must(pg::Connection::open(must(make_test_database())));
  const auto name_of = [&](pg::Connection& session, const std::string& sql) {
    must(session.run(sql));
    const auto rows = must(
        session.run_once("SELECT name::bytea FROM pg_prepared_statements WHERE statement = '" + sql + "'"));
    return std::string(rows.bytes(0, 0));
  };
  const auto other = must(pg::Connection::open(must(make_test_database())));
  const std::string first = name_of(*connection, "SELECT 1::bigint");
  const std::string second = name_of(*connection, "SELECT 2::bigint");
  EXPECT_NE(first, second);
  EXPECT_EQ(name_of(*other, "SELECT 2::bigint"), second) << "whatever was prepared before";
}

TEST(PgPool, KeepsABoundedNumberOfStatements) {
  const auto pool = std::make_shared<pg::Pool>(must(make_test_database()));
  const auto prepared = [&] {
    const auto loan = must(pool->borrow());
    return must(loan->run_once("SELECT count(*) FROM pg_prepared_statements")).number(0, 0);
  };
  {
    const auto loan = must(pool->borrow());
    for (int i = 0; i < 300; ++i) must(loan->run("SELECT " + std::to_string(i) + "::bigint"));
  }
  EXPECT_EQ(prepared(), 0);
  must(must(pool->borrow())->run("SELECT 1::bigint"));
  EXPECT_EQ(prepared(), 1);
}

TEST(PgPool, ReadsCommittedWhateverTheDefaultIs) {
  const std::string conninfo = must(make_test_database());
  must(must(pg::Connection::open(conninfo))
           ->command("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = "
                     "serializable', current_database()); END $$"));
  const auto connection = must(pg::Connection::open(conninfo));
  must(connection->command("BEGIN"));
  const auto rows =
      must(connection->run_once("SELECT convert_to(current_setting('transaction_isolation'), 'UTF8')"));
  EXPECT_EQ(rows.bytes(0, 0), "read committed");
}

TEST(PgPool, AStatementThatAnotherClientPreparedNamesThePooler) {
  const auto connection = must(pg::Connection::open(must(make_test_database())));
  must(connection->run("SELECT 1::bigint"));
  must(connection->command("DEALLOCATE ALL"));
  const auto lost = connection->run("SELECT 1::bigint");
  ASSERT_TRUE(lost.has_error());
  EXPECT_EQ(lost.error().code, Errc::unsupported);
  EXPECT_THAT(lost.error().message(), testing::HasSubstr("pool_mode = session"));
}

TEST(PgPool, TheDetailOfAnErrorIsKept) {
  const auto connection = must(pg::Connection::open(must(make_test_database())));
  const auto failed =
      connection->command("CREATE TEMP TABLE t (x int PRIMARY KEY); INSERT INTO t VALUES (1), (1)");
  ASSERT_TRUE(failed.has_error());
  EXPECT_THAT(failed.error().message(), testing::HasSubstr("Key (x)=(1) already exists."));
}

}  // namespace
}  // namespace akin::test
