#include "tests/index/database.h"

#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "index/pg/topology.h"
#include "tests/index/temporary_folder.h"

namespace akin::test {
namespace {

constexpr const char* kPrograms = "/usr/lib/postgresql/15/bin/";

/// Runs a program of PostgreSQL as somebody who is not root, which it refuses; in another network if one is
/// given.
pid_t start(const std::vector<std::string>& arguments, const std::filesystem::path& log,
            const Network* network = nullptr) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (network != nullptr && !network->enter()) _exit(126);
  if (geteuid() == 0) {
    const passwd* const nobody = getpwnam("nobody");
    if (nobody == nullptr || setgid(nobody->pw_gid) != 0 || setuid(nobody->pw_uid) != 0) _exit(126);
  }
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  std::FILE* const out = std::freopen(log.c_str(), "a", stderr);
  if (out == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(126);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

int finish(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

class Server {
 public:
  explicit Server(const Network* network = nullptr) : network_(network) {
    if (geteuid() == 0) {
      const passwd* const nobody = getpwnam("nobody");
      if (nobody == nullptr || chown(folder_.path().c_str(), nobody->pw_uid, nobody->pw_gid) != 0) {
        throw std::runtime_error("cannot give a folder to nobody");
      }
    }
    const int made =
        finish(akin::test::start({std::string(kPrograms) + "initdb", "--pgdata", data(), "--username", "akin",
                                  "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"},
                                 folder_.path() / "initdb.log"));
    if (made != 0) throw std::runtime_error("initdb failed");
    std::ofstream(data() + "/pg_hba.conf", std::ios::app) << "host all all 10.0.0.0/8 trust\n";
    start();
  }
  ~Server() { stop(SIGINT); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start() {
    if (server_ > 0) return;
    server_ =
        akin::test::start({std::string(kPrograms) + "postgres", "-D", data(), "-k", folder_.path(), "-c",
                           "listen_addresses=" + (network_ != nullptr ? network_->address() : std::string()),
                           "-c", "fsync=off", "-c", "shared_buffers=64MB", "-c", "max_connections=100"},
                          folder_.path() / "server.log", network_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (pg::Connection::open(conninfo() + " dbname=postgres").has_error()) {
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("PostgreSQL does not start");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  /// SIGINT ends it in good order, SIGQUIT at once.
  void stop(int signal) {
    if (server_ <= 0) return;
    kill(server_, signal);
    finish(server_);
    server_ = 0;
  }

  /// Makes a database; its connection string.
  Result<std::string> make_database() {
    const std::string name = "test" + std::to_string(++databases_);
    AKIN_TRY(const auto connection, pg::Connection::open(conninfo() + " dbname=postgres"));
    AKIN_CHECK(connection->command("CREATE DATABASE " + name));
    return conninfo() + " dbname=" + name;
  }

  [[nodiscard]] std::string conninfo() const { return "host=" + folder_.path().string() + " user=akin"; }

 private:
  [[nodiscard]] std::string data() const { return folder_.path() / "data"; }

  const Network* network_;
  TemporaryFolder folder_;
  pid_t server_ = 0;
  int databases_ = 0;
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

bool has_postgresql() { return access((std::string(kPrograms) + "postgres").c_str(), X_OK) == 0; }

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
