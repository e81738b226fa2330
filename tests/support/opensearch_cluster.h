// Nodes of OpenSearch of a program's own, on loopback.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/opensearch/client/client.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {

/// Whether the jars are there that `./test programs` fetches. Where they are not, these tests are skipped.
[[nodiscard]] bool has_opensearch();

/// Runs from construction to destruction, and dies with its process. Throws std::runtime_error if it cannot
/// be started.
class OpensearchCluster {
 public:
  /// New indices have as many shards as there are nodes, and a replica of each if there are several nodes.
  explicit OpensearchCluster(std::size_t nodes);
  ~OpensearchCluster();
  OpensearchCluster(const OpensearchCluster&) = delete;
  OpensearchCluster& operator=(const OpensearchCluster&) = delete;

  /// "opensearch+http://127.0.0.1:…/PREFIX", with all nodes.
  [[nodiscard]] std::string address(const std::string& prefix) const;
  void kill(std::size_t node);
  /// Starts it again where it was killed. Does not wait.
  void start(std::size_t node);
  /// Waits until all nodes are there, and all copies of all shards.
  void wait_until_whole() const;
  [[nodiscard]] std::shared_ptr<opensearch::Client> client(const std::string& prefix) const;

 private:
  struct Node {
    int http = 0, transport = 0;  ///< ports
    pid_t process = 0;
  };
  [[nodiscard]] std::filesystem::path log_of(std::size_t node) const;

  TemporaryFolder folder_;
  std::vector<Node> nodes_;
};

/// One of one node that this process has started, and stops at its end.
[[nodiscard]] OpensearchCluster& test_cluster();
/// Its address with a prefix that nobody else has.
[[nodiscard]] std::string make_test_prefix();

}  // namespace akin::test
