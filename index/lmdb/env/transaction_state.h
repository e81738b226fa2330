// Internals of lmdb.h: an environment's state, the gate through which every transaction of this process
// passes, and the translation of codes. Included only by the sources that implement it.
#pragma once

#include <lmdb.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/waiting.h"
#include "index/collection/crash_record.h"
#include "index/lmdb/env/checked_value.h"
#include "index/lmdb/env/lmdb.h"

namespace akin::lmdb {

/// Lets transactions in until the map must be resized: LMDB moves the map only while no transaction of the
/// process is open. Resizing closes the gate, so a stream of short readers cannot starve it; one long reader
/// can, for `patience`.
class Gate {
 public:
  void enter() {
    std::unique_lock lock(mutex_);
    if (closed_) {
      const Waiting waiting;
      changed_.wait(lock, [this] { return !closed_; });
    }
    ++inside_;
  }
  /// Does not wait: for a transaction beside one that stays until after it.
  void enter_beside() {
    const std::lock_guard lock(mutex_);
    ++inside_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0) changed_.notify_all();
  }
  /// Runs `alone` while no transaction is open; false if one stayed open for longer than `patience`.
  template <class F>
  bool run_alone(std::chrono::milliseconds patience, F&& alone) {
    const Waiting waiting;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !closed_; });
    closed_ = true;
    const bool empty = changed_.wait_for(lock, patience, [this] { return inside_ == 0; });
    if (empty) std::forward<F>(alone)();
    closed_ = false;
    changed_.notify_all();
    return empty;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t inside_ = 0;
  bool closed_ = false;
};

struct EnvState {
  explicit EnvState(std::filesystem::path where) : folder(std::move(where)) {}
  EnvState(const EnvState&) = delete;
  EnvState& operator=(const EnvState&) = delete;
  ~EnvState();

  const std::filesystem::path folder;
  Options options;
  MDB_env* env = nullptr;
  std::vector<Table> tables;
  std::size_t page_bytes = 4096;
  CheckedValues known;                        ///< large values that were verified
  std::atomic<unsigned> scans = 0;            ///< Scan objects that live
  std::atomic<std::uint64_t> pages_read = 0;  ///< since the process let go of all (Options::held_pages)
  Gate gate;
  std::mutex writer;  ///< of WriteTurn
  /// When a thread last gave up waiting for another process that writes, on the steady clock; guarded by
  /// `writer`.
  std::optional<std::chrono::steady_clock::time_point> gave_up;
  unsigned writes = 0;    ///< of this process; guarded by `writer`
  bool map_lost = false;  ///< changed only inside Gate::run_alone, read only inside the gate: remapping
                          ///< failed permanently
};

/// Notes for a crash (crash_record.h) which environment this thread uses from here on.
inline void note_use(const EnvState& env) noexcept { store_in_use = env.options.crash_record; }
/// Notes the end of a transaction. Another thread than the one that used it may end it.
inline void note_end(const EnvState& env) noexcept {
  if (store_in_use == env.options.crash_record) store_in_use = nullptr;
}

/// Where the map begins, from a page of the table of tables, which opening has checked; null if that fails.
[[nodiscard]] const char* begin_of_map(MDB_txn* txn, std::size_t page_bytes) noexcept;

/// LMDB's interface has no const; it does not write through these.
[[nodiscard]] inline MDB_val to_val(std::string_view bytes) noexcept {
  return {bytes.size(), const_cast<char*>(bytes.data())};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

[[nodiscard]] inline std::string_view to_view(const MDB_val& value) noexcept {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

inline constexpr std::string_view kNoCheck = "its value does not have its checksum";

/// The error for an entry of a table, or for the table if the key is empty.
[[nodiscard]] Error damaged_entry(const EnvState& env, const Table& table, std::string_view key,
                                  std::string_view broken);

/// The error for LMDB's (or the system's) code while `doing` something.
[[nodiscard]] Error lmdb_error(int code, const EnvState& env, std::string_view doing);

}  // namespace akin::lmdb
