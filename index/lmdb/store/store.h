// The embedded store: one LMDB environment per collection. Format: docs/index-format.md.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "index/lmdb/documents/change_log.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/runs.h"
#include "index/store/store.h"

namespace akin {

/// How an LMDB store is opened.
struct LmdbStoreOptions {
  lmdb::Options lmdb;
  /// How much one write transaction of a merge writes; other writers wait for that long.
  std::size_t merge_step_bytes = std::size_t{8} << 20;
  /// A write of fewer postings takes over recent runs that have fewer.
  std::uint64_t small_run_postings = kSmallRunPostings;
  /// How long flush_and_merge waits for a merge of another process. It always waits for one of its own.
  std::chrono::milliseconds merge_patience = std::chrono::minutes(10);
  bool open_quarantined = false;  ///< CatalogOptions
};

/// Store over LMDB. Any number of threads and processes may read and write one folder at once; inside a
/// process, all that open the same folder share one environment. Beyond what Store promises:
/// - A write counts replacements as a sequence of writes would: a document whose id occurs
///   twice replaces itself once.
/// - A damaged document can be replaced and removed.
/// - Writes of several threads share transactions (group commit).
/// - flush_and_merge merges in the calling thread, after running merges; `everything` leaves one run without
///   the postings of tombstoned documents, else it leaves the rest to another process that merges for long.
/// - A thread of the store merges postings in the background, after writes.
/// - Errors of writes: invalid_argument (id), too_large, disk_full, busy (lmdb.h), corrupt (nothing is
///   changed).
class LmdbStore : public Store {
 public:
  /// Creates the folder (not its parents) and an empty store in it. Error: already_exists.
  [[nodiscard]] static Result<std::shared_ptr<LmdbStore>> create(const std::filesystem::path& folder,
                                                                 const StoreIdentity& identity,
                                                                 const LmdbStoreOptions& options = {});
  /// Errors: not_found; quarantined; mismatch if the format differs (then nothing in the folder is changed;
  /// the remedy names `akin export` and `akin import`); corrupt. Options apply if this process does not have
  /// the store open yet.
  [[nodiscard]] static Result<std::shared_ptr<LmdbStore>> open(const std::filesystem::path& folder,
                                                               const LmdbStoreOptions& options = {});

  /// flush_and_merge, which ends early on request: then nothing has changed for readers, and no error is
  /// returned.
  [[nodiscard]] virtual Result<void> flush_and_merge_until(bool everything, const std::stop_token& stop) = 0;

  /// Whether nothing but this object uses the environment: no snapshot, no other opening, no merge.
  [[nodiscard]] virtual bool is_idle() const noexcept = 0;

  // For a copy of the store that follows its writes (change_log.h).
  /// From the next write of any process on, the ids of documents that are put or removed are noted.
  [[nodiscard]] virtual Result<void> begin_change_log() = 0;
  [[nodiscard]] virtual Result<void> end_change_log() = 0;
  [[nodiscard]] virtual Result<bool> has_change_log() const = 0;
  [[nodiscard]] virtual Result<NotedChanges> noted_changes(std::uint64_t place, std::size_t limit) const = 0;

  /// As lmdb::Env::copy.
  [[nodiscard]] virtual Result<void> copy(const ByteSink& take) const = 0;

  /// Syncs everything to the disk; needed only if options.lmdb.durable was off.
  [[nodiscard]] virtual Result<void> sync() = 0;
};

}  // namespace akin
