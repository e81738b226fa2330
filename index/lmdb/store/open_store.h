// An environment with its tables and identity, shared by all that use one folder in this process.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>

#include "base/set_once.h"
#include "index/lmdb/postings/run_filters.h"
#include "index/lmdb/store/merge_worker.h"
#include "index/lmdb/store/store.h"
#include "index/lmdb/store/write_queue.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// Immutable except for the members that are thread-safe themselves.
struct OpenStore {
  std::filesystem::path folder;
  lmdb::Env env;
  Tables tables;
  StoreIdentity identity;
  std::size_t merge_step_bytes = 0;             ///< LmdbStoreOptions
  std::chrono::milliseconds merge_patience{0};  ///< LmdbStoreOptions
  const StoreSerial serial = next_store_serial();
  SetOnce<Derivation> derivation{};
  mutable RunFilters filters{env, tables};
  std::atomic<bool> merging = false;  ///< written by the holder of the merge lock
  WriteQueue queue{env, tables};
  MergeWorker merger{*this};  ///< last: it ends before the environment closes
};

/// As LmdbStore::create and open. LMDB forbids a second environment on one file in a process, so these return
/// the same object while it lives.
[[nodiscard]] Result<std::shared_ptr<OpenStore>> make_store(const std::filesystem::path& folder,
                                                            const StoreIdentity& identity,
                                                            const LmdbStoreOptions& options);
[[nodiscard]] Result<std::shared_ptr<OpenStore>> share_store(const std::filesystem::path& folder,
                                                             const LmdbStoreOptions& options);

/// Whether its files are no longer in its folder: another generation has replaced it, or it was dropped.
[[nodiscard]] bool is_replaced(const OpenStore& store);

}  // namespace akin
