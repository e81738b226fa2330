#include "index/pg/common_features.h"

#include <algorithm>
#include <limits>
#include <string>

#include "index/pg/segments.h"

namespace akin::pg {
namespace {

/// $1: keys, in the buckets $2; $3: documents that a key must exceed.
constexpr const char* kPosted =
    "SELECT key FROM akin.all_postings_@ WHERE bucket = ANY($2) AND key = ANY($1)"
    " GROUP BY key HAVING count(*) > $3 ORDER BY key";
/// The same, counting only documents in the directory.
constexpr const char* kExisting =
    "SELECT key FROM akin.all_postings_@ WHERE bucket = ANY($2) AND key = ANY($1)"
    " AND doc IN (SELECT doc FROM akin.documents_@) GROUP BY key HAVING count(*) > $3 ORDER BY key";

Result<std::vector<std::int64_t>> counted_over(Connection& connection, const PostingTables& tables,
                                               const char* sql, std::span<const std::int64_t> keys,
                                               std::uint64_t limit) {
  const auto over =
      static_cast<std::int64_t>(std::min<std::uint64_t>(limit, std::numeric_limits<std::int64_t>::max()));
  const std::vector<std::int64_t> buckets = buckets_of(keys, tables.levels);
  AKIN_TRY(const Rows rows,
           connection.run(of_store(sql, tables.store), Params().numbers(keys).numbers(buckets).number(over)));
  std::vector<std::int64_t> found;
  found.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) found.push_back(rows.number(row, 0));
  return found;
}

/// Whether postings of documents that do not exist may be visible. A shard is read as of a later moment than
/// the directory, and may then hold documents that are being written.
Result<bool> may_have_others(Connection& connection, const PostingTables& tables) {
  if (tables.parts > 0) return true;
  AKIN_TRY(const Rows rows, connection.run(of_store("SELECT FROM akin.tombstones_@ LIMIT 1", tables.store)));
  return rows.size() > 0;
}

}  // namespace

Result<std::vector<Feature>> find_common(Connection& connection, const PostingTables& tables,
                                         std::span<const Feature> features, std::uint64_t limit) {
  std::vector<std::int64_t> keys;
  keys.reserve(features.size());
  for (const Feature feature : features) keys.push_back(key_of(feature));
  AKIN_TRY(keys, counted_over(connection, tables, kPosted, keys, limit));
  if (!keys.empty()) {
    AKIN_TRY(const bool others, may_have_others(connection, tables));
    if (others) {
      AKIN_TRY(keys, counted_over(connection, tables, kExisting, keys, limit));
    }
  }
  std::vector<Feature> common;
  common.reserve(keys.size());
  for (const std::int64_t key : keys) common.push_back(feature_of(key));
  return common;
}

}  // namespace akin::pg
