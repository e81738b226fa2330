#include "index/pg/parts.h"

#include <string>
#include <utility>

namespace akin::pg {

Result<Parts> Parts::read(Connection& connection, Pool& pool, StoreNumber store) {
  const Params wanted = Params().number(static_cast<std::int64_t>(store));
  AKIN_TRY(const Rows count,
           connection.run("SELECT count(*), has_table_privilege('akin.shards', 'SELECT')::int::bigint"
                          " FROM akin.parts WHERE store = $1",
                          wanted));
  Parts parts(pool);
  if (count.number(0, 0) == 0) return parts;
  if (count.number(0, 1) == 0) {
    parts.shards_.resize(static_cast<std::size_t>(count.number(0, 0)));
    return parts;
  }
  AKIN_TRY(const Rows rows,
           connection.run("SELECT s.conninfo FROM akin.parts p JOIN akin.shards s USING (shard)"
                          " WHERE p.store = $1 ORDER BY p.part",
                          wanted));
  parts.shards_.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    parts.shards_.push_back(pool.peer(std::string(rows.bytes(row, 0))));
  return parts;
}

Result<Pool::Lease> Parts::lease(std::size_t part) const {
  if (is_local()) return own_->lease();
  if (shards_[part] == nullptr) {
    return Error{Errc::forbidden, "shard " + std::to_string(part), "this role may not connect to it",
                 "use a role that may read akin.shards: akin store roles --help"};
  }
  Result<Pool::Lease> lease = shards_[part]->lease();
  if (!lease.has_error()) return lease;
  const Error& error = lease.error();
  return Error{error.code, "shard " + std::to_string(part) + ", " + error.what, error.reason, error.remedy};
}

}  // namespace akin::pg
