// akin's schema "akin" in a PostgreSQL database.
//
//   akin.format       version of this list of tables
//   akin.collections  a collection's name, the store that it is in now, when it expires
//   akin.stores       a store's identity and counters; writers of the directory lock its row. The column
//                     store_text: 1 texts are kept, 2 files are, 3 both
//   akin.copies       collections whose copy into the database is unfinished: name, store
//   akin.dictionaries, akin.store_dictionaries  the dictionaries that stores were built with (dictionaries.h)
// and of each store N:
//   akin.documents_N          the directory: number, id, revision, counts, encoded record. A document that is
//                             not in it does not exist.
//   akin.next_document_N      a sequence: the number of the next document. None is assigned twice.
//   akin.tombstones_N         numbers that have content and are not in the directory: to be erased
// and its content:
//   akin.contents_N           compressed text and encoded sequence; the file, if the store keeps files; what
//                             is kept of the words of its text
//   akin.postings_N           recent postings: (key, doc, n), the document has the key's feature n times
//   akin.packed_postings_N    postings of neighbouring keys packed into rows (segments.h, packed_rows.h)
//   akin.frequent_postings_N  postings of keys that many documents have, in blocks; a block never changes
//   akin.posting_sizes_N      numbers of packed postings and rows, by level, to be added up
#pragma once

#include <cstdint>

#include "index/pg/client/connection.h"
#include "index/pg/client/pool.h"
#include "index/pg/tables/names.h"
#include "index/store/store.h"
#include "index/write/directory_changes.h"

namespace akin::pg {

/// Creates the schema if it is missing; safe to call concurrently. Error also: mismatch (it has another
/// version).
[[nodiscard]] Result<void> make_schema(Connection& connection);

/// Whether the schema exists. Every opening asks before it reads anything else. Error: mismatch (an earlier
/// or later akin made it).
[[nodiscard]] Result<bool> has_schema(Connection& connection);

/// Creates an empty store, inside a transaction of `connection`.
[[nodiscard]] Result<StoreNumber> make_store(Connection& connection, const StoreIdentity& identity);
/// Whether the server accepts writes and the role may change akin's tables. A process that may only read, on
/// a standby for example, leaves the work of the database to others.
[[nodiscard]] Result<bool> may_write(Connection& connection);

/// Drops a store and its tables, if they exist, in a transaction of its own. Waits for its readers.
[[nodiscard]] Result<void> drop_store(Pool& pool, StoreNumber number);

/// Errors: not_found, mismatch (another format).
[[nodiscard]] Result<StoreIdentity> read_identity(Connection& connection, StoreNumber number);

/// The statement whose answer counters_of reads. `lock`: no other transaction writes into the store until
/// this one ends.
[[nodiscard]] Statement select_counters(StoreNumber number, bool lock);
/// Error: not_found (the store is gone, or, with `lock`, another store has replaced it).
[[nodiscard]] Result<StoreCounters> counters_of(const Rows& rows, StoreNumber number, bool lock);
[[nodiscard]] Result<StoreCounters> read_counters(Connection& connection, StoreNumber number, bool lock);
[[nodiscard]] Statement update_counters(StoreNumber number, const StoreCounters& counters);

/// A transaction, which is rolled back with its connection's loan unless it was committed.
[[nodiscard]] inline Result<void> begin(Connection& connection) { return connection.command("BEGIN"); }
[[nodiscard]] inline Result<void> commit(Connection& connection) { return connection.command("COMMIT"); }

}  // namespace akin::pg
