#include "index/pg/orphans.h"

#include "base/time.h"

namespace akin::pg {
namespace {

constexpr const char* kUnused =
    "SELECT store FROM akin.stores WHERE retired = 0"
    " AND NOT EXISTS (SELECT FROM akin.collections c WHERE c.store = stores.store)";
constexpr const char* kJobs =
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4704133"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
constexpr const char* kRetire =
    "UPDATE akin.stores SET retired = $2 WHERE store = ANY($1) AND retired = 0"
    " AND NOT EXISTS (SELECT FROM akin.collections c WHERE c.store = stores.store)";

}  // namespace

Result<std::uint64_t> retire_orphans(Connection& connection) {
  AKIN_TRY(const Rows unused, connection.run(kUnused));
  if (unused.size() == 0) return std::uint64_t{0};
  // Whoever was building one of these held a lock when they were read. With no lock now that job has ended:
  // its store is a collection's by the next statement, or is gone, or nobody's for ever.
  AKIN_TRY(const Rows jobs, connection.run(kJobs));
  if (jobs.number(0, 0) != 0) return std::uint64_t{0};
  std::vector<std::int64_t> stores;
  for (std::size_t row = 0; row < unused.size(); ++row) stores.push_back(unused.number(row, 0));
  const std::int64_t now = time_now().time_since_epoch().count();
  AKIN_TRY(const Rows retired, connection.run(kRetire, Params().numbers(stores).number(now)));
  return retired.changed();
}

}  // namespace akin::pg
