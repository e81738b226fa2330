// The store over a cluster of OpenSearch or Elasticsearch: the same interface and the same answers as LMDB's,
// for collections that are larger than one machine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "index/opensearch/documents/document_reader.h"
#include "index/opensearch/documents/turn.h"
#include "index/write/deriving_store.h"
#include "index/write/group_commit.h"

namespace akin::opensearch {

/// `parts`: of the store. `derive`: null if sequences that follow from texts cannot be read.
[[nodiscard]] std::unique_ptr<Snapshot> make_snapshot(std::shared_ptr<const View> view, StoreSerial serial,
                                                      std::shared_ptr<PartCache> parts,
                                                      DeriveFeatures derive);

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Writers take turns (head.h). Removed and replaced documents are invisible immediately, and erased with
///   later writes. Writes of this process that wait at the same time are made in one turn: they share its
///   requests and its waits for the disk. The engine refreshes beside later writes, or for the next reader.
/// - Errors of all members also: those of Client. After `unavailable` a write may have been made or not: a
///   put may be sent again.
class ClusterStore final : public DerivingStore, GroupCommit {
 public:
  /// Makes the catalog's index if it is missing, and an empty store that keeps the dictionaries `packed`, if
  /// any.
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> create(
      const std::shared_ptr<Client>& client, const StoreIdentity& identity,
      std::optional<std::string_view> packed = {});
  /// Errors: not_found, mismatch; corrupt (the index and the catalog are of different times).
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> open(const std::shared_ptr<Client>& client,
                                                                  const StoreName& name);
  /// One that is there, unchecked.
  ClusterStore(const StoreIndex& index, StoreIdentity identity);

  [[nodiscard]] const StoreName& name() const noexcept { return index_.store; }
  /// Now and then it checks the index (View::check_content). Error also: corrupt.
  [[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot() const override;

  /// Errors also: busy (another process writes for too long), not_found (the store was dropped, or another
  /// one has replaced it).
  [[nodiscard]] Result<WriteResults> write(std::span<Change> changes, WriteMode mode) override;
  [[nodiscard]] Result<void> continue_after(Revision revision) override;
  /// Erases what no longer exists; of `everything` also what turns have left that were abandoned. Merges the
  /// index into few segments if this writer has written a fifth of the store or more since the last time: a
  /// search looks each of its words up in every segment. The engine drops what was erased when all copies
  /// have confirmed it, half a minute later: of `everything` this waits for it, 90 s at most.
  [[nodiscard]] Result<void> flush_and_merge(bool everything) override;
  /// Makes other writers wait. Returns the last revision that the store has assigned. Requires that nothing
  /// but `retire` follows.
  [[nodiscard]] Result<Revision> stop_others();
  /// Ends all writing into the store, for the successor, if that is given; otherwise succeeds if that has
  /// ended. Error: busy (others have written since stop_others).
  [[nodiscard]] Result<void> retire(const StoreName& successor);

 private:
  /// As of a moment during the call.
  [[nodiscard]] Result<std::shared_ptr<const View>> view() const;
  struct Request : Write {
    std::span<Change> changes;
    WriteMode mode = WriteMode::all;
    Result<WriteResults> results = WriteResults();
  };
  Result<void> make_together(Write* first, const Write* end, bool& began) override;
  /// Makes writes, if any, in one turn, and sets their results; erases what earlier turns have removed.
  [[nodiscard]] Result<void> write_together(Write* first, const Write* end);
  /// `accepts`: after what this writer has accepted; otherwise that is committed first.
  [[nodiscard]] Result<void> take_turn(bool accepts = false);
  [[nodiscard]] Result<void> commit(StoreState state);
  [[nodiscard]] Result<void> accept(StoreState state);
  void forget_accepted();
  /// Reads the head if it is not known.
  [[nodiscard]] Result<void> find_head();
  /// Writes it; after an error it is forgotten. Error: busy (another process has written meanwhile).
  [[nodiscard]] Result<void> change_head();
  /// Commits what was accepted, and erases all that is stored of what no longer exists.
  [[nodiscard]] Result<void> erase_gone();
  /// Requires a head. What a killed process has sent may arrive after this: the turn stays abandoned.
  [[nodiscard]] Result<void> drop_abandoned();
  /// The first time, makes the engine merge segments as by default. A new index may have fifty times as many,
  /// so that the load that fills it writes each word fewer times.
  [[nodiscard]] Result<void> end_load();
  /// Sends lines of a bulk request; after the last ones all are on the disk. Keeps the turn meanwhile.
  [[nodiscard]] Result<void> send(std::string& lines, bool is_last);
  [[nodiscard]] Result<void> send_bulk(const std::string& lines) const;
  /// Until no more than `most` requests are under way.
  [[nodiscard]] Result<void> wait_for_sent(std::size_t most);

  const StoreIndex index_;
  const StoreSerial serial_ = next_store_serial();
  const std::shared_ptr<PartCache> parts_ = std::make_shared<PartCache>();

  mutable std::mutex view_mutex_;                          ///< guards the next two
  mutable std::shared_ptr<const View> last_view_;          ///< serves all readers until the store changes
  mutable std::chrono::steady_clock::time_point checked_;  ///< when View::check_content last found one sound
  mutable std::atomic<bool> is_read_ = false;              ///< so that the first load ends

  const std::string writer_;                       ///< names this one in heads
  std::mutex mutex_;                               ///< guards the members below
  std::optional<Head> head_;                       ///< as last read or written
  std::chrono::steady_clock::time_point touched_;  ///< when this writer last changed it
  /// Ids of documents of accepted turns, which a search may not find yet: after the last refresh that has
  /// begun, and before it if it has not ended.
  std::set<std::string, std::less<>> unseen_, refreshing_ids_;
  std::future<Result<void>> refreshing_;           ///< a refresh that has begun, if it is valid
  StoreState refreshed_;                           ///< the state that searches find after it
  std::deque<std::future<Result<void>>> sending_;  ///< bulk requests under way
  bool has_sent_ = false;                          ///< some in this turn
  bool loads_ = true;           ///< whether the store may still be filled by its first load
  std::uint64_t unmerged_ = 0;  ///< documents written since the last merge
};

}  // namespace akin::opensearch
