// Checks whether a database and its shards are fit for akin: the findings of `akin store check`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

enum class FindingLevel {
  ok,
  warning,  ///< it works, but slower or with more risk than it might
  failure,  ///< akin cannot work, or its guarantees do not hold
};

struct CheckFinding {
  FindingLevel level = FindingLevel::ok;
  std::string what;    ///< "shard 1: fsync"
  std::string value;   ///< what was found
  std::string remedy;  ///< empty if nothing needs to be done
};

/// The findings, in the order of the checks.
class Findings {
 public:
  void ok(std::string what, std::string value) {
    add(FindingLevel::ok, std::move(what), std::move(value), "");
  }
  /// ok, or, unless `good`, `otherwise` with a remedy.
  void expect(bool good, FindingLevel otherwise, std::string what, std::string value, std::string remedy) {
    add(good ? FindingLevel::ok : otherwise, std::move(what), std::move(value),
        good ? "" : std::move(remedy));
  }
  /// Reports that a check itself failed.
  void failed(std::string what, const Error& error) {
    add(FindingLevel::failure, std::move(what), error.reason, error.remedy);
  }
  [[nodiscard]] const std::vector<CheckFinding>& all() const noexcept { return all_; }
  [[nodiscard]] bool has_failure() const noexcept;

 private:
  void add(FindingLevel level, std::string what, std::string value, std::string remedy) {
    all_.push_back({level, std::move(what), std::move(value), std::move(remedy)});
  }
  std::vector<CheckFinding> all_;
};

/// Facts from check_server, for comparison among servers.
struct ServerFacts {
  std::int64_t version = 0;  ///< 150014 for 15.14
  std::int64_t max_connections = 0;
};

/// Version, encoding, durability, settings, clock and role of the server of a connection; `name` begins each
/// finding. Errors: those of Connection.
[[nodiscard]] Result<ServerFacts> check_server(Connection& connection, const std::string& name,
                                               Findings& findings);

/// Checks the role's rights on the coordinator's tables, and that no reader can read the secrets in them.
[[nodiscard]] Result<void> check_rights(Connection& connection, Findings& findings);

/// Checks the servers' plans for a search of each collection (EXPLAIN). Behind a coordinator every shard must
/// count its own documents, concurrently with the others; a server with a million postings or more must read
/// them by an index-only scan.
[[nodiscard]] Result<void> check_plans(Connection& connection, Findings& findings);

/// Checks that the shards have the content of each collection's newest documents: a shard that came back
/// without its last transactions (an asynchronous standby, a backup) lacks it.
[[nodiscard]] Result<void> check_content(Connection& connection, Findings& findings);

/// Checks the database, its shards and both connections to each, and changes nothing. A problem with a shard
/// is a finding. Errors: invalid_argument (no connection string), those of Connection (the database itself is
/// unreachable).
[[nodiscard]] Result<Findings> check_topology(const std::string& conninfo);

}  // namespace akin::pg
