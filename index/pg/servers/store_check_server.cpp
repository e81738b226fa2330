#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/time.h"
#include "index/pg/servers/init.h"
#include "index/pg/servers/store_check.h"

namespace akin::pg {
namespace {

constexpr std::int64_t kLargestClockError = 1'000'000;  ///< microseconds

/// A setting of the server with one right value.
struct RightValue {
  const char* name;
  const char* value;
  FindingLevel otherwise;
  const char* remedy;
};

constexpr std::array<RightValue, 5> kRightValues{{
    {"fsync", "on", FindingLevel::failure, "set it on: a power cut destroys the database otherwise"},
    {"full_page_writes", "on", FindingLevel::failure, "set it on: a power cut destroys pages otherwise"},
    {"synchronous_commit", "on", FindingLevel::failure,
     "set it on: a put that was acknowledged may be lost otherwise"},
    {"data_checksums", "on", FindingLevel::warning,
     "pg_checksums --enable, so that a damaged page is noticed"},
    {"wal_compression", "lz4", FindingLevel::warning, "wal_compression = lz4: puts write fewer bytes"},
}};

/// A setting with a minimum.
struct LeastValue {
  const char* name;
  std::int64_t least;  ///< in the unit of pg_settings
  const char* unit;
  const char* remedy;
};

constexpr std::array<LeastValue, 3> kLeastValues{{
    {"max_wal_size", 4096, " MB", "max_wal_size = 8GB: the fewer checkpoints, the fewer page images of puts"},
    {"checkpoint_timeout", 900, " s", "checkpoint_timeout = 15min or more, for the same reason"},
    {"max_connections", 100, "", "max_connections = 100 or more: a server of akin has up to 32"},
}};

using Values = std::map<std::string, std::string, std::less<>>;

/// The initial settings of sessions, whatever this one has changed.
Result<Values> read_settings(Connection& connection) {
  AKIN_TRY(const Rows rows, connection.run("SELECT name, coalesce(reset_val, '') FROM pg_settings"));
  Values values;
  for (std::size_t row = 0; row < rows.size(); ++row) values.emplace(rows.bytes(row, 0), rows.bytes(row, 1));
  return values;
}

std::int64_t number_in(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? 0 : std::strtoll(found->second.c_str(), nullptr, 10);
}

void check_settings(const Values& values, Findings& findings) {
  for (const RightValue& right : kRightValues) {
    const auto found = values.find(right.name);
    const std::string value = found == values.end() ? "unknown" : found->second;
    findings.expect(value == right.value, right.otherwise, "database: " + std::string(right.name), value,
                    right.remedy);
  }
  for (const LeastValue& least : kLeastValues) {
    const std::int64_t value = number_in(values, least.name);
    findings.expect(value >= least.least, FindingLevel::warning, "database: " + std::string(least.name),
                    std::to_string(value) + least.unit, least.remedy);
  }
}

Result<void> check_clock(Connection& connection, Findings& findings) {
  const auto micros = [] { return time_now().time_since_epoch().count(); };
  const std::int64_t before = micros();
  AKIN_TRY(const Rows rows,
           connection.run("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"));
  const std::int64_t after = micros();
  // Exact to half of the time that the query took.
  const std::int64_t error = rows.number(0, 0) - (before + (after - before) / 2);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%+.3f s from this machine's", static_cast<double>(error) / 1e6);
  findings.expect(std::abs(error) <= kLargestClockError, FindingLevel::warning, "database: clock",
                  text.data(), "let NTP set the clocks of all machines: expiry and revisions follow them");
  return {};
}

Result<void> check_identity(Connection& connection, Findings& findings) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT current_user::text, rolsuper::int::bigint,"
                          " pg_is_in_recovery()::int::bigint FROM pg_roles WHERE rolname = current_user"));
  if (rows.size() == 0) return {};
  findings.expect(rows.number(0, 1) == 0, FindingLevel::warning, "database: role",
                  std::string(rows.bytes(0, 0)) + (rows.number(0, 1) == 0 ? "" : ", a superuser"),
                  "use a role that owns the database, see akin store roles");
  findings.expect(rows.number(0, 2) == 0, FindingLevel::warning, "database: takes writes",
                  rows.number(0, 2) == 0 ? "yes" : "no, it is a standby",
                  "searches work; for writes give the primary's address");
  return {};
}

}  // namespace

Result<void> check_server(Connection& connection, Findings& findings) {
  AKIN_TRY(const Values values, read_settings(connection));
  const auto text = [&](const char* setting) {
    const auto found = values.find(setting);
    return found == values.end() ? std::string("unknown") : found->second;
  };
  findings.expect(number_in(values, "server_version_num") >= kOldestServer, FindingLevel::failure,
                  "database: PostgreSQL", text("server_version"), "upgrade it to 15 or later");
  findings.expect(text("server_encoding") == "UTF8", FindingLevel::failure, "database: encoding",
                  text("server_encoding"), "make the database with ENCODING 'UTF8'");
  check_settings(values, findings);
  AKIN_CHECK(check_clock(connection, findings));
  return check_identity(connection, findings);
}

}  // namespace akin::pg
