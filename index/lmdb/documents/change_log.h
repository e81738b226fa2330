// Which documents were written while a store was being copied: every write transaction of any process notes
// them within the transaction, from the start of the log until its end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// What `meta` says without a log, from the making of a store on.
inline constexpr std::string_view kLogOff = "off";

/// Whether writes are being noted. Error: corrupt.
[[nodiscard]] Result<bool> log_is_on(const lmdb::Txn& txn, const Tables& tables);

/// Starts an empty log; an earlier one is discarded.
[[nodiscard]] Result<void> begin_log(lmdb::WriteTxn& txn, const Tables& tables);

/// Ends and discards the log, if there is one.
[[nodiscard]] Result<void> end_log(lmdb::WriteTxn& txn, const Tables& tables);

/// Notes ids of documents that were put or removed. Requires a log.
[[nodiscard]] Result<void> note_changes(lmdb::WriteTxn& txn, const Tables& tables,
                                        const std::vector<std::string>& ids);

/// Notes after a place in the log.
struct NotedChanges {
  std::vector<std::string> ids;  ///< each once
  std::uint64_t place = 0;       ///< after the last of them
  std::uint64_t left = 0;        ///< further notes, including repeated ids
};

/// At most `limit` notes from `place` on; 0 is the beginning. Error: corrupt.
[[nodiscard]] Result<NotedChanges> read_log(const lmdb::Txn& txn, const Tables& tables, std::uint64_t place,
                                            std::size_t limit);

}  // namespace akin
