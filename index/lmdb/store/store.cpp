#include "index/lmdb/store/store.h"

#include <atomic>
#include <chrono>
#include <string_view>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "index/lmdb/store/merge.h"
#include "index/lmdb/store/open_store.h"
#include "index/lmdb/store/snapshot.h"
#include "index/write/batch_changes.h"

namespace akin {

namespace {

/// Beyond this many runs, writers help to merge.
constexpr std::size_t kMostRuns = 64;
constexpr int kMostMerges = 8;

class LmdbStoreImpl final : public LmdbStore {
 public:
  explicit LmdbStoreImpl(std::shared_ptr<OpenStore> store) noexcept : store_(std::move(store)) {}

  const StoreIdentity& identity() const noexcept override { return store_->identity; }

  Result<PreparedDocument> prepare(NewDocument document) const override {
    const Derivation* const derivation = store_->derivation.get();
    const StoredForm form{.derived = derivation != nullptr && derivation->features,
                          .words = keeps_words() ? &derivation->words : nullptr};
    return akin::prepare(std::move(document), store_->identity, form);
  }

  Result<WriteResults> write(std::span<Change> changes, WriteMode mode) override {
    Result<WriteResults> results = refusals(changes, mode);
    if (results.has_error() || are_all_refused(*results)) return results;
    // A write that fails makes the writes of its group be repeated one by one. A failed precondition is not
    // such a failure, as it is found before anything has changed.
    AKIN_CHECK(commit([&](DocumentBatch& batch) -> Result<void> {
      results = write_in(batch, changes, mode);
      const bool refused = results.has_error() && results.error().code == Errc::precondition_failed;
      return results.has_error() && !refused ? Result<void>(results.error()) : Result<void>();
    }));
    return results;
  }

  void derive_by(Derivation derivation) override { store_->derivation.set(std::move(derivation)); }
  bool keeps_words() const override {
    const Derivation* const derivation = store_->derivation.get();
    return store_->identity.store_text && derivation != nullptr && derivation->words;
  }

  Result<void> continue_after(Revision revision) override {
    AKIN_CHECK(check_revision(revision));
    return store_->queue.write([&](DocumentBatch& batch) -> Result<void> {
      batch.continue_after(revision);
      return {};
    });
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override { return open_snapshot(store_); }

  Result<void> flush_and_merge(bool everything) override { return flush_and_merge_until(everything, {}); }

  Result<void> flush_and_merge_until(bool everything, const std::stop_token& stop) override {
    const MergeEffort effort = everything ? MergeEffort::everything : MergeEffort::flush_and_merge;
    std::atomic<bool> stopped = false;
    const std::stop_callback on_stop(stop, [&] { stopped = true; });
    // Bounded: a stream of writes would keep it working forever.
    bool more = true;
    for (int merges = 0; more && !stopped && merges < kMostMerges; ++merges) {
      AKIN_TRY(more, merge_in_turn(effort, stopped));
    }
    return {};
  }

  bool is_idle() const noexcept override { return store_.use_count() == 1 && !store_->merger.is_merging(); }

  Result<void> begin_change_log() override {
    return store_->env.write([&](lmdb::WriteTxn& txn) { return begin_log(txn, store_->tables); });
  }

  Result<void> end_change_log() override {
    return store_->env.write([&](lmdb::WriteTxn& txn) { return end_log(txn, store_->tables); });
  }

  Result<bool> has_change_log() const override {
    AKIN_TRY(const lmdb::ReadTxn txn, store_->env.read());
    return log_is_on(txn, store_->tables);
  }

  Result<NotedChanges> noted_changes(std::uint64_t place, std::size_t limit) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, store_->env.read());
    return read_log(txn, store_->tables, place, limit);
  }

  Result<void> copy(const ByteSink& take) const override { return store_->env.copy(take); }

  Result<void> sync() override { return store_->env.sync(); }

 private:
  Result<void> commit(const WriteQueue::Body& body) {
    AKIN_CHECK(store_->queue.write(body));
    store_->merger.poke();
    // The documents are stored by now, whether the merge succeeds or not.
    if (store_->queue.runs() > kMostRuns)
      note_failure_of(Round::merge_while_writing, without_exceptions([this] { return merge_some(); }));
    return {};
  }

  /// merge_once, after the merges of this process. False if the other one, of another process, merges the
  /// same and takes longer than the store's patience. Errors: as merge_once.
  Result<bool> merge_in_turn(MergeEffort effort, const std::atomic<bool>& stop) {
    for (;;) {
      const bool ours = store_->merging;
      Result<bool> merged = merge_once(*store_, effort, store_->merge_patience, stop);
      if (!merged.has_error() || merged.error().code != Errc::busy) return merged;
      if (stop) return false;
      if (ours || store_->merging) continue;
      return effort == MergeEffort::everything ? merged : Result<bool>(false);
    }
  }

  /// Merges in the writer's thread: it writes faster than the merging thread can follow.
  Result<bool> merge_some() {
    const std::atomic<bool> stop = false;
    return merge_once(*store_, MergeEffort::background, store_->merge_patience, stop);
  }

  std::shared_ptr<OpenStore> store_;
};

}  // namespace

Result<std::shared_ptr<LmdbStore>> LmdbStore::create(const std::filesystem::path& folder,
                                                     const StoreIdentity& identity,
                                                     const LmdbStoreOptions& options) {
  AKIN_TRY(std::shared_ptr<OpenStore> store, make_store(folder, identity, options));
  return std::shared_ptr<LmdbStore>(std::make_shared<LmdbStoreImpl>(std::move(store)));
}

Result<std::shared_ptr<LmdbStore>> LmdbStore::open(const std::filesystem::path& folder,
                                                   const LmdbStoreOptions& options) {
  AKIN_TRY(std::shared_ptr<OpenStore> store, share_store(folder, options));
  return std::shared_ptr<LmdbStore>(std::make_shared<LmdbStoreImpl>(std::move(store)));
}

}  // namespace akin
