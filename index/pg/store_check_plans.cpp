#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/pg/candidates.h"
#include "index/pg/schema.h"
#include "index/pg/segments.h"
#include "index/pg/store_check.h"

namespace akin::pg {
namespace {

/// From this many postings on a server on, reading all of them is slower than looking up those of a query.
constexpr std::int64_t kFewPostings = 1'000'000;
constexpr std::int64_t kKeys = 300;
/// A table with at most this many rows may be read sequentially.
constexpr std::int64_t kFewRows = 10'000;

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

/// The plan of a statement for these arguments (SQL): akin has every statement planned for its arguments
/// (Connection::open).
Result<std::string> explain(Connection& connection, const std::string& statement,
                            const std::string& arguments) {
  AKIN_CHECK(
      connection.command("BEGIN READ ONLY; SET LOCAL plan_cache_mode = force_custom_plan;"
                         " PREPARE akin_check (bigint[], bigint, bigint[], bigint[], bigint[]) AS " +
                         statement));
  const Result<Rows> rows = connection.run_once("EXPLAIN EXECUTE akin_check(" + arguments + ")");
  AKIN_CHECK(connection.command("ROLLBACK; DEALLOCATE akin_check"));
  if (rows.has_error()) return rows.error();
  std::string plan;
  for (std::size_t row = 0; row < rows->size(); ++row) plan.append(rows->bytes(row, 0)).append("\n");
  return plan;
}

std::string array_literal(std::span<const std::int64_t> numbers) {
  std::string literal = "'{";
  for (const std::int64_t number : numbers)
    literal += (literal.size() > 2 ? "," : "") + std::to_string(number);
  return literal + "}'";
}

/// The features of a sample query, taken from the store, and their buckets.
struct Sample {
  std::vector<std::int64_t> keys;
  std::vector<int> levels;

  [[nodiscard]] std::string arguments() const {
    const std::span<const std::int64_t> frequent =
        std::span(keys).first(std::min<std::size_t>(3, keys.size()));
    return array_literal(keys) + ", 4, " + array_literal(frequent) + ", " +
           array_literal(buckets_of(keys, levels)) + ", " + array_literal(buckets_of(frequent, levels));
  }
};

Result<Sample> take_sample(Connection& connection, StoreNumber store) {
  Sample sample;
  AKIN_TRY(
      const Rows keys,
      connection.run(
          of_store("SELECT DISTINCT key FROM (SELECT key FROM akin.all_postings_@ LIMIT $1) AS k", store),
          Params().number(kKeys)));
  for (std::size_t row = 0; row < keys.size(); ++row) sample.keys.push_back(keys.number(row, 0));
  AKIN_TRY(const Rows levels, connection.run(of_store("SELECT level FROM akin.levels_@", store)));
  for (std::size_t row = 0; row < levels.size(); ++row)
    sample.levels.push_back(static_cast<int>(levels.number(row, 0)));
  return sample;
}

/// The statement and server whose plan is checked.
struct Question {
  std::string what;
  std::string statement;
  std::string arguments;
};

/// Checks a plan with `is_right`.
template <class IsRight>
Result<void> expect_plan(Connection& connection, const Question& question, const IsRight& is_right,
                         Findings& findings) {
  AKIN_TRY(const std::string plan, explain(connection, question.statement, question.arguments));
  const std::string wrong = is_right(plan);
  if (wrong.empty()) {
    findings.ok(question.what, "as it should be");
    return {};
  }
  findings.expect(
      false, FindingLevel::failure, question.what, wrong,
      "akin compact brings statistics up to date; see that the planner's settings are the defaults");
  return {};
}

Result<bool> is_large(Connection& connection, const std::string& table) {
  AKIN_TRY(const Rows large,
           connection.run("SELECT FROM pg_class WHERE oid = to_regclass(convert_from($1, 'UTF8'))"
                          " AND reltuples >= $2",
                          Params().bytes(table).number(kFewRows)));
  return large.size() > 0;
}

/// For the store's own postings: looked up by the indexes, those in rows of their own by an index-only scan.
Result<void> expect_index(Connection& connection, StoreNumber store, const Question& question,
                          Findings& findings) {
  const std::string rows = of_store("Index Only Scan using postings_@_pkey", store);
  const std::string compact = of_store("packed_postings_@_bucket_idx", store);
  const std::size_t lookups = count(question.statement, of_store("FROM akin.all_postings_@", store));
  AKIN_TRY(const bool wants_rows, is_large(connection, of_store("akin.postings_@", store)));
  AKIN_TRY(const bool wants_compact, is_large(connection, of_store("akin.packed_postings_@", store)));
  return expect_plan(
      connection, question,
      [&](const std::string& plan) {
        if (wants_rows && count(plan, rows) < lookups) return "postings are not read by an index-only scan";
        return wants_compact && count(plan, compact) < lookups ? "packed postings are not read by their index"
                                                               : "";
      },
      findings);
}

/// For shards: each counts its own documents, all concurrently.
Result<void> expect_fan_out(Connection& connection, const Subject& subject, const Sample& sample,
                            Findings& findings) {
  const auto parts = static_cast<std::size_t>(subject.parts);
  return expect_plan(
      connection,
      {"collection '" + subject.name + "': plan on the coordinator", of_store(kSearch, subject.store),
       sample.arguments()},
      [&](const std::string& plan) -> std::string {
        // A plan for a single server has nothing to overlap with.
        if (count(plan, "Relations: Aggregate on") < 2 * parts)
          return "a shard's postings are counted by the coordinator";
        if (parts > 1 && count(plan, "Async Foreign Scan") < 2 * parts)
          return "shards are asked one after the other";
        return "";
      },
      findings);
}

Result<void> check_shard_plans(Connection& connection, const Subject& subject, const Sample& sample,
                               Findings& findings) {
  AKIN_TRY(const Rows shards,
           connection.run("SELECT s.shard, s.conninfo FROM akin.parts p JOIN akin.shards s USING (shard)"
                          " WHERE p.store = $1 ORDER BY p.part",
                          Params().number(static_cast<std::int64_t>(subject.store))));
  for (std::size_t row = 0; row < shards.size(); ++row) {
    const std::string what =
        "collection '" + subject.name + "': plan on shard " + std::to_string(shards.number(row, 0));
    const auto shard = Connection::open(std::string(shards.bytes(row, 1)));
    // Another finding reports that it is unreachable.
    if (shard.has_error()) continue;
    AKIN_CHECK(expect_index(
        **shard, subject.store,
        {what,
         of_store("SELECT doc, count(*) FROM akin.all_postings_@ WHERE bucket = ANY($4) AND key = ANY($1)"
                  " AND cardinality($3) + cardinality($5) >= 0 GROUP BY doc"
                  " HAVING count(*) >= $2",
                  subject.store),
         sample.arguments()},
        findings));
  }
  return {};
}

Result<void> check_subject(Connection& connection, const Subject& subject, Findings& findings) {
  AKIN_TRY(const Sample sample, take_sample(connection, subject.store));
  if (subject.parts > 0) AKIN_CHECK(expect_fan_out(connection, subject, sample, findings));
  if (subject.postings < kFewPostings * std::max<std::int64_t>(1, subject.parts)) {
    findings.ok("collection '" + subject.name + "': plan", "too small for one to matter");
    return {};
  }
  if (subject.parts > 0) return check_shard_plans(connection, subject, sample, findings);
  return expect_index(
      connection, subject.store,
      {"collection '" + subject.name + "': plan", of_store(kSearch, subject.store), sample.arguments()},
      findings);
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
