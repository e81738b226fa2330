#include "index/pg/compaction.h"

#include <string>

#include "index/pg/segments.h"

namespace akin::pg {
namespace {

/// Fewer postings than this are left in rows of their own.
constexpr std::uint64_t kWorthCompaction = 100'000;
constexpr std::uint64_t kGrowth = 4;
/// A level with more postings for each of its buckets was filled by loads: each look-up reads too much of it.
constexpr std::uint64_t kMostInBucketOnAverage = 128;

bool is_overfull(int level, std::uint64_t postings) noexcept {
  return postings >> static_cast<unsigned>(level) > kMostInBucketOnAverage;
}

std::string in_levels(const std::vector<int>& levels) {
  std::string condition = "false";
  for (const int level : levels) {
    condition += " OR (bucket >= " + std::to_string(first_bucket(level)) + " AND bucket < " +
                 std::to_string(first_bucket(level + 1)) + ")";
  }
  return condition;
}

/// Features that keep rows of their own: many documents have them, or too many features share their bucket.
std::string select_frequent(const CompactionPlan& compaction) {
  const std::string frequent = std::to_string(compaction.frequent);
  const std::string full = std::to_string(kMostInBucket);
  const std::string bucket = bucket_sql(compaction.level);
  return "CREATE TEMP TABLE akin_frequent ON COMMIT DROP AS"
         " SELECT key FROM akin.postings_@ GROUP BY key HAVING count(*) >= " +
         frequent + " UNION SELECT key FROM akin.postings_@ WHERE " + bucket + " IN (SELECT " + bucket +
         " FROM akin.postings_@ GROUP BY 1 HAVING count(*) > " + full +
         ") UNION SELECT u.key FROM akin.packed_postings_@ c, LATERAL unnest(c.keys) AS u (key) WHERE c.n "
         ">= " +
         frequent + " AND (" + in_levels(compaction.merged) +
         ") GROUP BY u.key HAVING count(*) >= " + frequent +
         " UNION SELECT u.key FROM akin.packed_postings_@ c, LATERAL unnest(c.keys) AS u (key) WHERE c.n > " +
         full + " AND (" + in_levels(compaction.merged) + ")";
}

std::string move_postings(const CompactionPlan& compaction) {
  return "WITH compact AS (DELETE FROM akin.packed_postings_@ WHERE " + in_levels(compaction.merged) +
         " RETURNING keys, docs), recent AS (DELETE FROM akin.postings_@ p WHERE p.doc < " +
         std::to_string(kCompactDocuments) +
         " AND NOT EXISTS (SELECT FROM akin_frequent h WHERE h.key = p.key) RETURNING key, doc),"
         " postings AS MATERIALIZED (SELECT u.key, u.doc FROM compact,"
         " LATERAL unnest(compact.keys, compact.docs) AS u (key, doc)"
         " UNION ALL SELECT key, doc::integer FROM recent),"
         " frequent AS (INSERT INTO akin.postings_@ SELECT key, doc FROM postings p"
         " WHERE EXISTS (SELECT FROM akin_frequent h WHERE h.key = p.key)"
         " AND NOT EXISTS (SELECT FROM akin_gone g WHERE g.doc = p.doc) ON CONFLICT DO NOTHING)"
         " INSERT INTO akin.packed_postings_@ SELECT " +
         bucket_sql(compaction.level) +
         ", count(*), array_agg(key ORDER BY key, doc), array_agg(doc ORDER BY key, doc) FROM postings p"
         " WHERE NOT EXISTS (SELECT FROM akin_frequent h WHERE h.key = p.key)"
         " AND NOT EXISTS (SELECT FROM akin_gone g WHERE g.doc = p.doc) GROUP BY 1";
}

}  // namespace

Result<PostingSizes> read_posting_sizes(Connection& connection, StoreNumber store) {
  PostingSizes sizes;
  AKIN_TRY(const Rows rows, connection.run(of_store("SELECT count(*) FROM akin.postings_@", store)));
  sizes.rows = static_cast<std::uint64_t>(rows.number(0, 0));
  AKIN_TRY(const Rows levels,
           connection.run(of_store("SELECT bucket >> 56, sum(n)::bigint FROM akin.packed_postings_@"
                                   " GROUP BY 1",
                                   store)));
  for (std::size_t row = 0; row < levels.size(); ++row) {
    sizes.compact.emplace(static_cast<int>(levels.number(row, 0)),
                          static_cast<std::uint64_t>(levels.number(row, 1)));
  }
  return sizes;
}

CompactionPlan plan_compaction(const PostingSizes& sizes, bool everything) {
  CompactionPlan compaction;
  std::uint64_t postings = sizes.rows;
  // Loads write packed rows directly: such levels are recent postings too.
  for (const auto& [level, size] : sizes.compact) {
    if (!everything && !is_overfull(level, size) && size > kGrowth * postings) continue;
    postings += size;
    compaction.merged.push_back(level);
  }
  const bool is_worth = everything ? postings > 0 : postings >= kWorthCompaction;
  if (is_worth) compaction.level = level_for(postings);
  return compaction;
}

Result<void> compact_postings(Connection& connection, StoreNumber store, const CompactionPlan& compaction,
                              std::span<const std::int64_t> gone) {
  AKIN_CHECK(connection.command("SET LOCAL work_mem = '64MB'"));
  AKIN_CHECK(connection.command("CREATE TEMP TABLE akin_gone (doc bigint PRIMARY KEY) ON COMMIT DROP"));
  AKIN_CHECK(connection.run("INSERT INTO akin_gone SELECT unnest($1)", Params().numbers(gone)));
  AKIN_CHECK(connection.command(of_store(select_frequent(compaction), store)));
  AKIN_CHECK(connection.command("ANALYZE akin_gone, akin_frequent"));
  return connection.command(of_store(move_postings(compaction), store));
}

}  // namespace akin::pg
