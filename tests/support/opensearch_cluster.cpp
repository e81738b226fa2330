#include "tests/support/opensearch_cluster.h"

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "base/files.h"
#include "tests/support/built.h"

namespace akin::test {
namespace {

using opensearch::Client;
using opensearch::Json;

/// The jars, and the class of tests/opensearch.
std::filesystem::path jars() {
  const char* const given = std::getenv("AKIN_OPENSEARCH_JARS");
  return given != nullptr ? std::filesystem::path(given) : source_folder() / "build/contract/opensearch";
}

int free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const bool bound = bind(listener, any, length) == 0 && getsockname(listener, any, &length) == 0;
  close(listener);
  if (!bound) throw std::runtime_error("no port is free");
  return ntohs(address.sin_port);
}

pid_t run(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::FILE* const out = std::freopen(log.c_str(), "a", stderr);
  if (out == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(126);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

template <class Holds>
void wait_until(const std::string& what, const Holds& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("OpenSearch: " + what);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace

bool has_opensearch() { return std::filesystem::exists(jars() / "OpenSearchNode.class"); }

OpensearchCluster::OpensearchCluster(std::size_t nodes) {
  for (std::size_t i = 0; i < nodes; ++i) nodes_.push_back({free_port(), free_port(), 0});
  for (std::size_t i = 0; i < nodes; ++i) start(i);
  wait_until("it does not start, see its logs in " + folder_.path().string(), [&] {
    for (const Node& node : nodes_) {
      const bool has_ended = waitpid(node.process, nullptr, WNOHANG) == node.process;
      if (has_ended) throw std::runtime_error("OpenSearch ends: " + read_whole_file(log_of(0)).value());
    }
    const auto client = Client::open(opensearch::parse_address(address("tests")).value());
    if (client.has_error()) return false;
    const auto health = (*client)->ask({.path = "/_cluster/health"});
    return health.has_value() && health->value("number_of_nodes", std::size_t{0}) == nodes;
  });
  const std::string shards = std::to_string(nodes), replicas = nodes > 1 ? "1" : "0";
  const Json settings = {
      {"index_patterns", {"*"}},
      {"template", {{"settings", {{"number_of_shards", shards}, {"number_of_replicas", replicas}}}}}};
  static_cast<void>(client("tests")
                        ->ask({.method = "PUT", .path = "/_index_template/tests", .body = settings.dump()})
                        .value());
}

OpensearchCluster::~OpensearchCluster() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) kill(i);
}

std::filesystem::path OpensearchCluster::log_of(std::size_t node) const {
  return folder_.path() / ("node-" + std::to_string(node) + ".log");
}

void OpensearchCluster::start(std::size_t node) {
  const std::filesystem::path home = folder_.path() / ("node-" + std::to_string(node));
  std::filesystem::create_directories(home);
  std::vector<std::string> arguments{
      "java", "-Xms640m", "-Xmx640m",
      // The collector that OpenSearch has: it frees memory when the engine finds too much in use.
      "-XX:+UseG1GC", "-XX:TieredStopAtLevel=1", "-cp", (jars() / "*").string() + ":" + jars().string(),
      "OpenSearchNode", home.string(), "cluster.name=akin-tests", "node.name=n" + std::to_string(node),
      "http.port=" + std::to_string(nodes_[node].http),
      "transport.port=" + std::to_string(nodes_[node].transport),
      "cluster.routing.allocation.disk.threshold_enabled=false", "path.repo=" + folder_.path().string()};
  if (nodes_.size() == 1) {
    arguments.emplace_back("discovery.type=single-node");
  } else {
    std::string seeds, names;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      seeds.append(i == 0 ? "" : ",").append("127.0.0.1:").append(std::to_string(nodes_[i].transport));
      names.append(i == 0 ? "n" : ",n").append(std::to_string(i));
    }
    arguments.push_back("discovery.seed_hosts=" + seeds);
    arguments.push_back("cluster.initial_cluster_manager_nodes=" + names);
  }
  nodes_[node].process = run(arguments, log_of(node));
}

void OpensearchCluster::kill(std::size_t node) {
  pid_t& process = nodes_[node].process;
  if (process <= 0) return;
  ::kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  process = 0;
}

void OpensearchCluster::wait_until_whole() const {
  wait_until("a shard is missing", [&] {
    const auto there = client("tests");
    const auto health = there->ask({.path = "/_cluster/health"});
    return health.has_value() && health->value("status", "") == "green" &&
           health->value("number_of_nodes", std::size_t{0}) == nodes_.size();
  });
}

std::string OpensearchCluster::address(const std::string& prefix) const {
  std::string nodes;
  for (const Node& node : nodes_)
    nodes.append(nodes.empty() ? "" : ",").append("127.0.0.1:").append(std::to_string(node.http));
  return "opensearch+http://" + nodes + "/" + prefix;
}

std::shared_ptr<Client> OpensearchCluster::client(const std::string& prefix) const {
  return Client::open(opensearch::parse_address(address(prefix)).value()).value();
}

OpensearchCluster& test_cluster() {
  static OpensearchCluster the_cluster(1);
  return the_cluster;
}

std::string make_test_prefix() {
  static int last = 0;
  return "test" + std::to_string(++last);
}

}  // namespace akin::test
