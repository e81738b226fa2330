#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/pg/postings/compaction.h"
#include "index/pg/postings/posting_reader.h"
#include "index/pg/postings/segments.h"
#include "index/pg/servers/store_check.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {
namespace {

/// From this many postings on, reading all of them is slower than looking up those of a query.
constexpr std::int64_t kFewPostings = 1'000'000;
constexpr std::int64_t kKeys = 300;
/// Of the buckets that are looked up.
constexpr int kSampleBits = 20;
/// A table with at most this many rows may be read sequentially.
constexpr std::int64_t kFewRows = 10'000;

constexpr const char* kPlanRemedy =
    "akin compact brings statistics up to date; see that the planner's settings are the defaults";

/// A collection and the store that it is in.
struct Subject {
  StoreNumber store{};
  std::string name;
  std::int64_t postings = 0;
};

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size()))
    ++found;
  return found;
}

std::string array_literal(std::span<const std::int64_t> numbers) {
  std::string literal = "'{";
  for (const std::int64_t number : numbers)
    literal += (literal.size() > 2 ? "," : "") + std::to_string(number);
  return literal + "}'";
}

/// The plan of a search's look-ups for as many keys as a query has: akin has every statement planned for its
/// arguments (Connection::open).
Result<std::string> explain_look_ups(Connection& connection, StoreNumber store) {
  AKIN_CHECK(
      connection.command(of_store("BEGIN READ ONLY; SET LOCAL plan_cache_mode = force_custom_plan;"
                                  " PREPARE akin_check (bigint[], bigint[], bigint[]) AS " +
                                      std::string(kLookUp),
                                  store)));
  std::vector<std::int64_t> keys;
  std::vector<KeyRange> ranges;
  for (std::int64_t i = 0; i < kKeys; ++i) keys.push_back(i << 54U);
  ranges.reserve(keys.size());
  for (const std::int64_t key : keys) ranges.push_back({key, key});
  const std::vector<int> levels{level_of(band_of(keys[1]), kSampleBits),
                                level_of(band_of(keys.back()), kSampleBits)};
  const Result<Rows> rows =
      connection.run_once("EXPLAIN EXECUTE akin_check(" + array_literal(keys) + ", " +
                          array_literal(buckets_of(ranges, levels)) + ", " + array_literal(keys) + ")");
  AKIN_CHECK(connection.command("ROLLBACK; DEALLOCATE akin_check"));
  if (rows.has_error()) return rows.error();
  std::string plan;
  for (std::size_t row = 0; row < rows->size(); ++row) plan.append(rows->bytes(row, 0)).append("\n");
  return plan;
}

/// A table, and how a search must read it.
struct Lookup {
  const char* table;
  const char* index;
  const char* wrong;  ///< what it means if it does not
};
constexpr std::array<Lookup, 3> kLookups{{{"akin.postings_@", "Index Only Scan using postings_@_pkey",
                                           "postings are not read by an index-only scan"},
                                          {"akin.packed_postings_@", "packed_postings_@_bucket_idx",
                                           "packed postings are not read by their index"},
                                          {"akin.frequent_postings_@", "frequent_postings_@_key_idx",
                                           "blocks of postings are not read by their index"}}};

Result<bool> is_large(Connection& connection, const std::string& table) {
  AKIN_TRY(const Rows large,
           connection.run("SELECT FROM pg_class WHERE oid = to_regclass(convert_from($1, 'UTF8'))"
                          " AND reltuples >= $2",
                          Params().bytes(table).number(kFewRows)));
  return large.size() > 0;
}

/// Postings are looked up by the indexes.
Result<void> expect_indexes(Connection& connection, const Subject& subject, const std::string& what,
                            Findings& findings) {
  AKIN_TRY(const std::string plan, explain_look_ups(connection, subject.store));
  for (const Lookup& lookup : kLookups) {
    AKIN_TRY(const bool large, is_large(connection, of_store(lookup.table, subject.store)));
    if (!large) continue;
    if (count(plan, of_store(lookup.index, subject.store)) > 0) continue;
    findings.expect(false, FindingLevel::failure, what, lookup.wrong, kPlanRemedy);
    return {};
  }
  findings.ok(what, "as it should be");
  return {};
}

/// A store that a load left unmerged is searched slowly.
Result<void> check_merged(Connection& connection, const Subject& subject, Findings& findings) {
  AKIN_TRY(const PostingSizes sizes, read_posting_sizes(connection, subject.store));
  const std::uint64_t waiting = unsettled_postings(sizes);
  const bool is_merged = waiting < static_cast<std::uint64_t>(std::max(kFewPostings, subject.postings / 2));
  findings.expect(is_merged, FindingLevel::warning, "collection '" + subject.name + "': merged",
                  waiting == 0 ? "yes" : std::to_string(waiting) + " postings wait for it",
                  "akin compact, unless a server is merging now");
  return {};
}

Result<void> check_subject(Connection& connection, const Subject& subject, Findings& findings) {
  AKIN_CHECK(check_merged(connection, subject, findings));
  const std::string what = "collection '" + subject.name + "': plan";
  if (subject.postings >= kFewPostings) return expect_indexes(connection, subject, what, findings);
  findings.ok(what, "too small for one to matter");
  return {};
}

}  // namespace

Result<void> check_plans(Connection& connection, Findings& findings) {
  AKIN_TRY(const Rows rows, connection.run("SELECT s.store, c.name, s.postings FROM akin.collections c"
                                           " JOIN akin.stores s USING (store) ORDER BY c.name"));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Subject subject{StoreNumber{rows.number(row, 0)}, std::string(rows.bytes(row, 1)),
                          rows.number(row, 2)};
    const auto checked = check_subject(connection, subject, findings);
    if (checked.has_error()) findings.failed("collection '" + subject.name + "': plan", checked.error());
    if (connection.in_transaction()) AKIN_CHECK(connection.command("ROLLBACK"));
  }
  return {};
}

}  // namespace akin::pg
