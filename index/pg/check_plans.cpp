#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "index/pg/candidates.h"
#include "index/pg/check.h"
#include "index/pg/foreign_server.h"
#include "index/pg/schema.h"

namespace akin::pg {
namespace {

/// So many postings on a server, and reading all of them is slower than looking up those of a query.
constexpr std::int64_t kFewPostings = 1'000'000;
constexpr std::int64_t kKeys = 300;

/// A collection and the store that it is in.
struct Subject {
  StoreNumber store{};
  std::string name;
  std::int64_t postings = 0;
  std::int64_t parts = 0;
};

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size()))
    ++found;
  return found;
}

/// The plan of a prepared statement, as it is for these arguments (SQL), or for any.
Result<std::string> explain(Connection& connection, const std::string& statement,
                            const std::string& arguments, const std::string& plan_cache_mode) {
  AKIN_CHECK(connection.command("BEGIN READ ONLY; SET LOCAL plan_cache_mode = " + plan_cache_mode +
                                "; PREPARE akin_check (bigint[], bigint, bigint[]) AS " + statement));
  const Result<Rows> rows = connection.run_once("EXPLAIN EXECUTE akin_check(" + arguments + ")");
  AKIN_CHECK(connection.command("ROLLBACK; DEALLOCATE akin_check"));
  if (rows.has_error()) return rows.error();
  std::string plan;
  for (std::size_t row = 0; row < rows->size(); ++row) plan.append(rows->bytes(row, 0)).append("\n");
  return plan;
}

/// A query's features: some of the store's, a few of them hot.
Result<std::string> sample_arguments(Connection& connection, StoreNumber store) {
  AKIN_TRY(const Rows rows,
           connection.run_once(of_store(
               "SELECT coalesce(array_agg(DISTINCT key), '{}')::text FROM (SELECT key FROM akin.p_@ LIMIT " +
                   std::to_string(kKeys) + ") AS k",
               store)));
  const std::string keys = literal(rows.bytes(0, 0));
  return keys + ", 4, (" + keys + "::bigint[])[1:3]";
}

/// Both plans that the server may choose for the statement are as `is_right` wants them.
template <class IsRight>
Result<void> expect_plans(Connection& connection, const Subject& subject, const std::string& what,
                          const std::string& statement, const IsRight& is_right, Findings& findings) {
  AKIN_TRY(const std::string arguments, sample_arguments(connection, subject.store));
  for (const char* const mode : {"force_generic_plan", "force_custom_plan"}) {
    AKIN_TRY(const std::string plan,
             explain(connection, of_store(statement, subject.store), arguments, mode));
    const std::string wrong = is_right(plan);
    if (wrong.empty()) continue;
    findings.expect(
        false, Verdict::failure, what, wrong,
        "akin compact brings statistics up to date; see that the planner's settings are the defaults");
    return {};
  }
  findings.ok(what, "as it should be");
  return {};
}

/// Of the store's own postings: looked up by the index, without a look at the table.
Result<void> expect_index(Connection& connection, const Subject& subject, const std::string& what,
                          const std::string& statement, Findings& findings) {
  const std::string scan = of_store("Index Only Scan using p_@_pkey", subject.store);
  const std::size_t lookups = count(statement, "FROM akin.p_@");
  return expect_plans(
      connection, subject, what, statement,
      [&](const std::string& plan) {
        return count(plan, scan) >= lookups ? "" : "postings are not read by an index-only scan";
      },
      findings);
}

/// Shards count their own documents, all at the same time.
Result<void> expect_fan_out(Connection& connection, const Subject& subject, Findings& findings) {
  const auto parts = static_cast<std::size_t>(subject.parts);
  return expect_plans(
      connection, subject, "collection '" + subject.name + "': plan on the coordinator", kSearchOverShards,
      [&](const std::string& plan) -> std::string {
        // One that asks a single server has nobody to wait for meanwhile.
        if (count(plan, "Relations: Aggregate on") < 2 * parts)
          return "a shard's postings are counted by the coordinator";
        if (parts > 1 && count(plan, "Async Foreign Scan") < 2 * parts)
          return "shards are asked one after the other";
        return "";
      },
      findings);
}

Result<void> check_shard_plans(Connection& connection, const Subject& subject, Findings& findings) {
  AKIN_TRY(const Rows shards,
           connection.run("SELECT s.shard, s.conninfo FROM akin.parts p JOIN akin.shards s USING (shard)"
                          " WHERE p.store = $1 ORDER BY p.part",
                          Params().number(static_cast<std::int64_t>(subject.store))));
  for (std::size_t row = 0; row < shards.size(); ++row) {
    const std::string what =
        "collection '" + subject.name + "': plan on shard " + std::to_string(shards.number(row, 0));
    const auto shard = Connection::open(std::string(shards.bytes(row, 1)));
    // That it is not to be reached is told elsewhere.
    if (shard.has_error()) continue;
    AKIN_CHECK(expect_index(**shard, subject, what,
                            "SELECT doc, count(*) FROM akin.p_@ WHERE key = ANY($1) AND cardinality($3) >= 0"
                            " GROUP BY doc HAVING count(*) >= $2",
                            findings));
  }
  return {};
}

Result<void> check_subject(Connection& connection, const Subject& subject, Findings& findings) {
  if (subject.parts > 0) AKIN_CHECK(expect_fan_out(connection, subject, findings));
  if (subject.postings < kFewPostings * std::max<std::int64_t>(1, subject.parts)) {
    findings.ok("collection '" + subject.name + "': plan", "too small for one to matter");
    return {};
  }
  if (subject.parts > 0) return check_shard_plans(connection, subject, findings);
  return expect_index(connection, subject, "collection '" + subject.name + "': plan", kSearch, findings);
}

}  // namespace

Result<void> check_plans(Connection& connection, Findings& findings) {
  AKIN_TRY(
      const Rows rows,
      connection.run("SELECT s.store, c.name, s.postings, (SELECT count(*) FROM akin.parts p WHERE p.store"
                     " = s.store) FROM akin.collections c JOIN akin.stores s USING (store) ORDER BY c.name"));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Subject subject{StoreNumber{rows.number(row, 0)}, std::string(rows.bytes(row, 1)),
                          rows.number(row, 2), rows.number(row, 3)};
    const auto checked = check_subject(connection, subject, findings);
    // A shard that is down, for one.
    if (checked.has_error()) findings.failed("collection '" + subject.name + "': plan", checked.error());
    if (connection.in_transaction()) AKIN_CHECK(connection.command("ROLLBACK"));
  }
  return {};
}

}  // namespace akin::pg
