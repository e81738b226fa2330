#include "tests/support/database.h"

#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "index/pg/topology.h"
#include "tests/support/postgresql_server.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

/// Memory and safety of a test's server; an address where it has a network.
std::vector<std::string> settings_of(const Network* network) {
  return {"fsync=off", "shared_buffers=64MB", "max_connections=100",
          "listen_addresses=" + (network != nullptr ? network->address() : std::string())};
}

class Server : public PostgresqlServer {
 public:
  explicit Server(const Network* network = nullptr) : Server(std::make_unique<TemporaryFolder>(), network) {}

 private:
  Server(std::unique_ptr<TemporaryFolder> folder, const Network* network)
      : PostgresqlServer(folder->path(), settings_of(network),
                         [network] { return network == nullptr || network->enter(); }),
        folder_(std::move(folder)) {}

  std::unique_ptr<TemporaryFolder> folder_;
};

Server& server() {
  static Server the_server;
  return the_server;
}

std::vector<std::unique_ptr<Server>>& shards() {
  static std::vector<std::unique_ptr<Server>> the_shards;
  return the_shards;
}

}  // namespace

std::size_t wanted_shards() {
  const char* const wanted = std::getenv("AKIN_TEST_SHARDS");
  return wanted == nullptr ? 0 : std::stoul(wanted);
}

std::shared_ptr<pg::Pool> test_database() {
  static const auto pool = std::make_shared<pg::Pool>(make_test_database().value());
  return pool;
}

Result<std::string> make_test_database() {
  AKIN_TRY(std::string conninfo, server().make_database());
  if (wanted_shards() == 0) return conninfo;
  AKIN_TRY(const std::vector<std::string> shards, make_test_shards(wanted_shards()));
  AKIN_CHECK(pg::init_topology(conninfo, {pg::TopologyKind::shards, shards}));
  return conninfo;
}

Result<std::vector<std::string>> make_test_shards(std::size_t count) {
  std::vector<std::string> conninfos;
  for (std::size_t shard = 0; shard < count; ++shard) {
    if (shard == shards().size()) shards().push_back(std::make_unique<Server>());
    AKIN_TRY(conninfos.emplace_back(), shards()[shard]->make_database());
  }
  return conninfos;
}

struct DistantServer::Impl {
  explicit Impl(const Network& network) : server(&network) {}
  Server server;
};

DistantServer::DistantServer(const Network& network)
    : impl_(std::make_unique<Impl>(network)),
      near_(impl_->server.make_database().value()),
      far_("host=" + network.address() + near_.substr(near_.find(' '))) {}

DistantServer::~DistantServer() = default;

void DistantServer::kill() { impl_->server.stop(SIGKILL); }

void DistantServer::start() { impl_->server.start(); }

void kill_test_server() { server().stop(SIGQUIT); }

void start_test_server() { server().start(); }

void kill_test_shard(std::size_t shard) { shards().at(shard)->stop(SIGQUIT); }

void start_test_shard(std::size_t shard) { shards().at(shard)->start(); }

}  // namespace akin::test
