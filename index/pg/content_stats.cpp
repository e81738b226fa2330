#include "index/pg/content_stats.h"

#include <algorithm>

#include "index/pg/compaction.h"

namespace akin::pg {
namespace {

constexpr const char* kOwnBytes =
    "SELECT (pg_total_relation_size('akin.documents_@')"
    " + pg_total_relation_size('akin.tombstones_@'))::bigint";
constexpr const char* kContentBytes =
    "SELECT (pg_total_relation_size('akin.contents_@') + pg_total_relation_size('akin.postings_@')"
    " + pg_total_relation_size('akin.packed_postings_@') + pg_total_relation_size('akin.frequent_postings_@')"
    " + pg_total_relation_size('akin.posting_sizes_@'))::bigint";

}  // namespace

Result<void> add_content_stats(Connection& connection, const Parts& parts, StoreNumber store,
                               StoreStats& stats) {
  AKIN_TRY(const Rows own, connection.run(of_store(kOwnBytes, store)));
  std::int64_t bytes = own.number(0, 0);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    AKIN_TRY(const Pool::Lease server, parts.lease(part));
    AKIN_TRY(const Rows rows, server->run(of_store(kContentBytes, store)));
    bytes += rows.number(0, 0);
    AKIN_TRY(const PostingSizes sizes, read_posting_sizes(*server, store));
    stats.runs = std::max(stats.runs, rows_of_lookup(sizes));
    stats.recent_postings += unsettled_postings(sizes);
  }
  stats.disk_bytes = static_cast<std::uint64_t>(bytes);
  return {};
}

}  // namespace akin::pg
