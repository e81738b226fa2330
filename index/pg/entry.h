// A collection's entry in the database: where it is now.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "index/collection.h"
#include "index/pg/names.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// As the database counts time: since the Unix epoch.
[[nodiscard]] inline std::int64_t microseconds(Time time) { return time.time_since_epoch().count(); }

/// A row of akin.collections.
struct Entry {
  StoreNumber store{};
  Generation generation;
  std::optional<Time> expires;
};

[[nodiscard]] Error no_collection(std::string_view name);

/// Nothing if there is none by this name; it may have expired. `lock`: what stands behind the SELECT.
[[nodiscard]] Result<std::optional<Entry>> read_entry(Connection& connection, std::string_view name,
                                                      std::string_view lock = "");

/// Error: not_found (there is none, or it has expired).
[[nodiscard]] Result<Entry> current_entry(Connection& connection, std::string_view name,
                                          std::string_view lock = "");

/// Calls a function of the advisory lock of jobs on a collection, "pg_try_advisory_lock" for one; whether it
/// did what it is for.
[[nodiscard]] Result<bool> lock_job(Connection& connection, std::string_view name,
                                    const std::string& function);

/// The guard of a collection's writers. They learn of a switch by their store, which is retired in the
/// transaction that switches.
[[nodiscard]] std::shared_ptr<const WriteGuard> make_write_guard(std::shared_ptr<Pool> pool,
                                                                 std::string name);

}  // namespace akin::pg
