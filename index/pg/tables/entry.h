// A collection's entry in the database: its current store.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "index/collection/collection.h"
#include "index/pg/client/pool.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// A time in the database: since the Unix epoch.
[[nodiscard]] inline std::int64_t microseconds(Time time) { return time.time_since_epoch().count(); }

/// A row of akin.collections.
struct Entry {
  StoreNumber store{};
  Generation generation;
  std::optional<Time> expires;
};

/// Nothing if no collection has this name; it may have expired. `lock`: text appended to the SELECT.
[[nodiscard]] Result<std::optional<Entry>> read_entry(Connection& connection, std::string_view name,
                                                      std::string_view lock = "");

/// Error: not_found (there is none, or it has expired).
[[nodiscard]] Result<Entry> current_entry(Connection& connection, std::string_view name,
                                          std::string_view lock = "");

/// Calls a function on the advisory lock of jobs on a collection, for example "pg_try_advisory_lock"; returns
/// whether it succeeded.
[[nodiscard]] Result<bool> lock_job(Connection& connection, std::string_view name,
                                    const std::string& function);

}  // namespace akin::pg
