// What akin keeps in a PostgreSQL database: the schema "akin", one row for each store, and the store's
// tables.
//
//   akin.collections  a collection's name, the store that it is in now, when it expires
//   akin.stores   a store's identity and counters; its row is locked by whoever writes into the store
//   akin.d_N      documents: number, id, revision, encoded record, compressed text, encoded sequence
//   akin.p_N      postings: (key, doc), once for each feature of a document
//   akin.r_N      repeats: (key, doc, n) where a document has a feature n >= 2 times
//   akin.h_N      hints: features that many documents have, with how many; may be old or wrong
#pragma once

#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/store.h"

namespace akin::pg {

/// The number of the form in which stores are kept.
inline constexpr std::int64_t kFormat = 1;

/// Makes the schema where it is missing; safe to be called by many at once. Error also: mismatch (it is a
/// later akin's).
[[nodiscard]] Result<void> make_schema(Connection& connection);

/// Makes an empty store; inside of a transaction.
[[nodiscard]] Result<StoreNumber> make_store(Connection& connection, const StoreIdentity& identity);
/// Drops a store and its tables, none is no error; inside of a transaction. Waits for those who read it.
[[nodiscard]] Result<void> drop_store(Connection& connection, StoreNumber number);

/// Errors: not_found, mismatch (another format).
[[nodiscard]] Result<StoreIdentity> read_identity(Connection& connection, StoreNumber number);

/// Kept in the same transaction as what they count.
struct StoreCounters {
  std::int64_t next_document = 0;
  std::int64_t documents = 0;
  std::int64_t features = 0;
  std::int64_t postings = 0;  ///< (feature, document) pairs
  std::int64_t text_bytes = 0;
  std::int64_t text_stored_bytes = 0;
  std::int64_t last_revision = 0;
};

/// `lock`: no other transaction writes into the store until this one ends. Error also: not_found (it is gone,
/// or, with `lock`, another store has taken its place).
[[nodiscard]] Result<StoreCounters> read_counters(Connection& connection, StoreNumber number, bool lock);
[[nodiscard]] Result<void> write_counters(Connection& connection, StoreNumber number,
                                          const StoreCounters& counters);

/// A transaction, which is rolled back with its connection's lease unless it was committed.
[[nodiscard]] inline Result<void> begin(Connection& connection) { return connection.command("BEGIN"); }
[[nodiscard]] inline Result<void> commit(Connection& connection) { return connection.command("COMMIT"); }

}  // namespace akin::pg
