// Checks whether a database is fit for akin: the findings of `akin store check`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "index/pg/client/connection.h"

namespace akin::pg {

enum class FindingLevel {
  ok,
  warning,  ///< it works, but slower or with more risk than it might
  failure,  ///< akin cannot work, or its guarantees do not hold
};

struct CheckFinding {
  FindingLevel level = FindingLevel::ok;
  std::string what;    ///< "database: fsync"
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

/// Checks version, encoding, durability, settings, clock and role of a connection's server. Errors: those of
/// Connection.
[[nodiscard]] Result<void> check_server(Connection& connection, Findings& findings);

/// Checks the role's rights on akin's tables, and that no reader can read the secrets in them.
[[nodiscard]] Result<void> check_rights(Connection& connection, Findings& findings);

/// Checks the server's plans for a search of each collection (EXPLAIN): a million postings or more must be
/// read by an index-only scan.
[[nodiscard]] Result<void> check_plans(Connection& connection, Findings& findings);

/// Checks a database, and changes nothing. Errors: invalid_argument (no connection string), those of
/// Connection (the database is unreachable).
[[nodiscard]] Result<Findings> check_database(const std::string& conninfo);

}  // namespace akin::pg
