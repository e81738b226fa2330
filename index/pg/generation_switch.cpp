#include "index/pg/generation_switch.h"

#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "index/collection/collection_name.h"
#include "index/pg/inner_copy.h"
#include "index/pg/merge.h"
#include "index/pg/tables/entry.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {

Result<void> PgSwitch::build() {
  if (transfer_.keeps_features()) {
    const StoreCopy stores{old_, new_};
    AKIN_TRY(is_packed_, can_copy_inside(pool_, stores));
    if (is_packed_) {
      AKIN_TRY(seen_, copy_inside(pool_, stores, transfer_));
      return {};
    }
  }
  return CopyingSwitch::build();
}

Result<void> PgSwitch::prepare() {
  transfer_.begin_phase("merging");
  if (!is_packed_) return to_.flush_and_merge(true);
  return merge_store(pool_, new_, {.erase = false, .everything = false, .tidy = true});
}

Result<Revision> PgSwitch::stop_writers() {
  AKIN_TRY(Pool::Loan connection, pool_.borrow());
  AKIN_CHECK(begin(*connection));
  AKIN_TRY(const StoreCounters counters, read_counters(*connection, old_, true));
  stops_writers_.emplace(std::move(connection));
  AKIN_CHECK(follow_writes());
  return counters.last_revision;
}

Result<void> PgSwitch::switch_over() {
  Connection& connection = **stops_writers_;
  AKIN_TRY(const Rows switched,
           connection.run("UPDATE akin.collections SET store = $2, generation = generation + 1, token = $3"
                          " WHERE name = $1 AND store = $4",
                          Params()
                              .bytes(collection_)
                              .number(static_cast<std::int64_t>(new_))
                              .bytes(random_token())
                              .number(static_cast<std::int64_t>(old_))));
  if (switched.changed() == 0) return no_collection(collection_);
  AKIN_CHECK(retire_store(connection, old_));
  return commit(connection);
}

Result<std::uint64_t> PgSwitch::follow_removals(const Snapshot& /*view*/) {
  AKIN_TRY(const Pool::Loan connection, pool_.borrow());
  const std::string from = of_store("akin.documents_@", old_);
  const std::string to = of_store("akin.documents_@", new_);
  AKIN_TRY(const Rows rows, connection->run("SELECT id FROM " + to + " t WHERE NOT EXISTS (SELECT FROM " +
                                            from + " f WHERE f.id = t.id)"));
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < rows.size(); ++row) ids.emplace_back(rows.bytes(row, 0));
  return to_.remove(ids);
}

Result<void> retire_store(Connection& connection, StoreNumber store) {
  AKIN_CHECK(
      connection.run("UPDATE akin.stores SET retired = $2 WHERE store = $1",
                     Params().number(static_cast<std::int64_t>(store)).number(microseconds(time_now()))));
  return {};
}

}  // namespace akin::pg
