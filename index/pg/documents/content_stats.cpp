#include "index/pg/documents/content_stats.h"

#include "index/pg/postings/compaction.h"

namespace akin::pg {
namespace {

constexpr const char* kBytes =
    "SELECT (pg_total_relation_size('akin.documents_@') + pg_total_relation_size('akin.tombstones_@')"
    " + pg_total_relation_size('akin.contents_@') + pg_total_relation_size('akin.postings_@')"
    " + pg_total_relation_size('akin.packed_postings_@') + pg_total_relation_size('akin.frequent_postings_@')"
    " + pg_total_relation_size('akin.posting_sizes_@'))::bigint";

}  // namespace

Result<void> add_content_stats(Connection& connection, StoreNumber store, StoreStats& stats) {
  AKIN_TRY(const Rows bytes, connection.run(of_store(kBytes, store)));
  AKIN_TRY(const PostingSizes sizes, read_posting_sizes(connection, store));
  stats.disk_bytes = static_cast<std::uint64_t>(bytes.number(0, 0));
  stats.runs = rows_of_lookup(sizes);
  stats.recent_postings = unsettled_postings(sizes);
  return {};
}

}  // namespace akin::pg
