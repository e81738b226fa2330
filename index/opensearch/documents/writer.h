// Writes into a store, in turns with the writers of other processes.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/opensearch/documents/head.h"
#include "index/opensearch/documents/turn.h"
#include "index/write/deriving_store.h"

namespace akin::opensearch {

/// The half of a store that writes. Any number of threads. Their writes wait for each other, and those that
/// wait at the same time are made in one turn: they share its requests, its waits for the disk and its
/// refresh.
class Writer : public DerivingStore {
 public:
  /// Errors also: busy (another process writes for too long), not_found (the store was dropped, or another
  /// one has replaced it).
  [[nodiscard]] Result<WriteResults> write(std::span<Change> changes, WriteMode mode) override;
  [[nodiscard]] Result<void> continue_after(Revision revision) override;
  /// Erases what no longer exists; of `everything` also what turns have left that were abandoned. Merges the
  /// index into few segments if this writer has written a fifth of the store or more since the last time: a
  /// search looks each of its words up in every segment.
  [[nodiscard]] Result<void> flush_and_merge(bool everything) override;
  /// Makes other writers wait. Returns the last revision that the store has assigned. Requires that nothing
  /// but `retire` follows.
  [[nodiscard]] Result<Revision> stop_others();
  /// Ends all writing into the store, for the successor, if that is given. Error: busy (others have written
  /// since stop_others).
  [[nodiscard]] Result<void> retire(const StoreName& successor);

 protected:
  Writer(StoreIndex index, StoreIdentity identity);

  const StoreIndex index_;

 private:
  /// Makes all writes that wait. If that fails for what one of them has, each is made by itself.
  void write_waiting();
  /// Makes writes in one turn, and sets their results.
  [[nodiscard]] Result<void> write_together(std::span<WriteRequest* const> requests);
  [[nodiscard]] Result<void> take_turn();
  [[nodiscard]] Result<void> commit(Head next);
  /// Error: busy (another process has written meanwhile).
  [[nodiscard]] Result<void> change_head(Head& head) const;
  /// Adds lines that erase all that is stored of the documents that earlier turns have removed; takes them
  /// out of the head. Sends the lines when they are long.
  [[nodiscard]] Result<void> erase_gone(Head& next, std::string& lines);
  /// The same in a turn of its own, if there are any.
  [[nodiscard]] Result<void> erase_gone();
  /// Requires a head. What a killed process has sent may arrive after this: the turn stays abandoned.
  [[nodiscard]] Result<void> drop_abandoned();
  /// The first time, merge_by_default.
  [[nodiscard]] Result<void> end_load();
  /// Sends lines of a bulk request, and makes them visible with the last ones. Keeps the turn meanwhile.
  [[nodiscard]] Result<void> send(std::string& lines, bool is_last);
  [[nodiscard]] Result<void> send_bulk(const std::string& lines, const char* refresh) const;
  /// Until no more than `most` requests are under way.
  [[nodiscard]] Result<void> wait_for_sent(std::size_t most);

  const std::string name_;              ///< of this writer, in heads
  std::mutex waiting_mutex_;            ///< guards waiting_
  std::vector<WriteRequest*> waiting_;  ///< each on its thread's stack; those that came first first
  std::mutex mutex_;                    ///< guards the members below, and requests that were taken
  std::optional<Head> head_;            ///< as last read or written
  std::chrono::steady_clock::time_point touched_;  ///< when this writer last changed it
  std::deque<std::future<Result<void>>> sending_;  ///< bulk requests under way
  bool has_sent_ = false;                          ///< some in this turn
  bool loads_ = true;           ///< whether the store may still be filled by its first load
  std::uint64_t unmerged_ = 0;  ///< documents written since the last merge
};

}  // namespace akin::opensearch
