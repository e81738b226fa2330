// Numbers that are stored in a database or shared by all its users. A change of one requires a higher
// kSchemaVersion.
#pragma once

#include <cstdint>
#include <string>

namespace akin::pg {

/// Version of the list of tables (schema.h), in akin.format.
inline constexpr std::int64_t kSchemaVersion = 1;
/// Version of the format of a store, in akin.stores.
inline constexpr std::int64_t kStoreFormat = 2;

/// Keys of advisory locks; those with a second key lock one store or name.
enum class AdvisoryLock : std::int64_t {
  schema = 4'704'131,        ///< making the schema
  names = 4'704'132,         ///< making and dropping collections
  job = 4'704'133,           ///< a job on a collection; second key: the name's hash
  unfinished = 4'704'135,    ///< a store that is being made; second key: its number
  merging = 4'704'137,       ///< merging a store; second key: its number
  state_table = 4'704'140,   ///< making akin.state
  state_writer = 4'704'141,  ///< writing into akin.state
};

/// A call of one of PostgreSQL's advisory lock functions, as SQL: "pg_advisory_xact_lock(4704131)".
[[nodiscard]] inline std::string call_of(const std::string& function, AdvisoryLock lock,
                                         const std::string& second_key = "") {
  return function + "(" + std::to_string(static_cast<std::int64_t>(lock)) +
         (second_key.empty() ? "" : ", " + second_key) + ")";
}

}  // namespace akin::pg
