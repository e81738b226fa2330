#include "index/pg/frequent_features.h"

#include <map>
#include <vector>

#include "index/pg/schema.h"
#include "index/pg/segments.h"

namespace akin::pg {
namespace {

constexpr const char* kCount = "SELECT key, count(*) FROM akin.postings_@ GROUP BY key HAVING count(*) >= $1";

/// The features that are frequent over all shards together: documents of one feature may be on all of them.
Result<void> write_from_parts(Connection& connection, const Parts& parts, StoreNumber store) {
  const std::int64_t least = kFrequentDocuments / static_cast<std::int64_t>(parts.size());
  std::map<std::int64_t, std::int64_t> documents;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    AKIN_TRY(const Pool::Lease shard, parts.lease(part));
    AKIN_TRY(const Rows rows, shard->run(of_store(kCount, store), Params().number(least)));
    for (std::size_t row = 0; row < rows.size(); ++row) documents[rows.number(row, 0)] += rows.number(row, 1);
  }
  std::vector<std::int64_t> keys, counts;
  for (const auto& [key, count] : documents) {
    keys.push_back(key);
    counts.push_back(count);
  }
  AKIN_CHECK(connection.run(of_store("INSERT INTO akin.frequent_features_@ SELECT * FROM unnest($1, $2)"
                                     " ON CONFLICT (key) DO NOTHING",
                                     store),
                            Params().numbers(keys).numbers(counts)));
  return {};
}

}  // namespace

Result<void> write_frequent_features(Pool& pool, const Parts& parts, StoreNumber store) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->command(of_store("DELETE FROM akin.frequent_features_@", store)));
  AKIN_CHECK(write_from_parts(*connection, parts, store));
  return commit(*connection);
}

}  // namespace akin::pg
