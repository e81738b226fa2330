// Whether a database, and the shards behind it, are fit for akin: what `akin store check` tells.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

enum class Verdict {
  ok,
  warning,  ///< it works, but slower or with more risk than it might
  failure,  ///< akin cannot work so, or what it promises does not hold
};

struct CheckFinding {
  Verdict verdict = Verdict::ok;
  std::string what;    ///< "shard 1: fsync"
  std::string value;   ///< what was found
  std::string remedy;  ///< empty where nothing is to be done
};

/// What was found, in the order of the looking.
class Findings {
 public:
  void ok(std::string what, std::string value) { add(Verdict::ok, std::move(what), std::move(value), ""); }
  /// ok, or, unless `good`, `otherwise` with a remedy.
  void expect(bool good, Verdict otherwise, std::string what, std::string value, std::string remedy) {
    add(good ? Verdict::ok : otherwise, std::move(what), std::move(value), good ? "" : std::move(remedy));
  }
  /// The failure to find out.
  void failed(std::string what, const Error& error) {
    add(Verdict::failure, std::move(what), error.reason, error.remedy);
  }
  [[nodiscard]] const std::vector<CheckFinding>& all() const noexcept { return all_; }
  [[nodiscard]] bool has_failure() const noexcept;

 private:
  void add(Verdict verdict, std::string what, std::string value, std::string remedy) {
    all_.push_back({verdict, std::move(what), std::move(value), std::move(remedy)});
  }
  std::vector<CheckFinding> all_;
};

/// What check_server learns, to be compared among servers.
struct ServerFacts {
  std::int64_t version = 0;  ///< 150014 for 15.14
  std::int64_t max_connections = 0;
};

/// Version, encoding, durability, settings, clock and role of the server of a connection; `name` opens what
/// is told. Errors: those of Connection.
[[nodiscard]] Result<ServerFacts> check_server(Connection& connection, const std::string& name,
                                               Findings& findings);

/// The role's rights on the coordinator's tables, and that nobody reads what is secret in them.
[[nodiscard]] Result<void> check_rights(Connection& connection, Findings& findings);

/// The plans that the servers make for a search of each collection (EXPLAIN). On the coordinator of shards
/// every shard counts its own documents, at the same time as the others; where a server has a million
/// postings and more, they are read by an index-only scan.
[[nodiscard]] Result<void> check_plans(Connection& connection, Findings& findings);

/// Looks at the database, its shards, both ways to each, and changes nothing. What is wrong with a shard is a
/// finding. Errors: invalid_argument (no connection string), those of Connection (the database itself is not
/// to be reached).
[[nodiscard]] Result<Findings> check_topology(const std::string& conninfo);

}  // namespace akin::pg
