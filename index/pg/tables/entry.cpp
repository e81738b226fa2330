#include "index/pg/tables/entry.h"

#include <utility>

#include "index/collection/collection_name.h"
#include "index/pg/tables/format.h"

namespace akin::pg {
Result<std::optional<Entry>> read_entry(Connection& connection, std::string_view name,
                                        std::string_view lock) {
  AKIN_TRY(const Rows rows, connection.run("SELECT store, generation, token, expires FROM akin.collections"
                                           " WHERE name = $1" +
                                               std::string(lock),
                                           Params().bytes(name)));
  if (rows.size() == 0) return std::optional<Entry>();
  Entry entry{StoreNumber{rows.number(0, 0)},
              {static_cast<std::uint64_t>(rows.number(0, 1)), std::string(rows.bytes(0, 2))},
              std::nullopt};
  if (rows.number(0, 3) != 0) entry.expires = Time(Time::duration(rows.number(0, 3)));
  return std::optional(std::move(entry));
}

/// The entry of a collection that has not expired.
Result<Entry> current_entry(Connection& connection, std::string_view name, std::string_view lock) {
  AKIN_TRY(std::optional<Entry> entry, read_entry(connection, name, lock));
  if (!entry) return no_collection(name);
  if (entry->expires && *entry->expires <= time_now()) return collection_expired(name);
  return *std::move(entry);
}

Result<bool> lock_job(Connection& connection, std::string_view name, const std::string& function) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT " + call_of(function, AdvisoryLock::job, "hashtext(encode($1, 'hex'))") +
                              "::int::bigint",
                          Params().bytes(name)));
  return rows.number(0, 0) != 0;
}

}  // namespace akin::pg
