#include "tests/support/database.h"

#include <csignal>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace

std::shared_ptr<pg::Pool> test_database() {
  static const auto pool = std::make_shared<pg::Pool>(make_test_database().value());
  return pool;
}

Result<std::string> make_test_database() { return server().make_database(); }

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

}  // namespace akin::test
