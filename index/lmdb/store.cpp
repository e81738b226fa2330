#include "index/lmdb/store.h"

#include <atomic>
#include <chrono>
#include <string_view>

#include "index/batch_changes.h"
#include "index/lmdb/merge.h"
#include "index/lmdb/open_store.h"
#include "index/lmdb/snapshot.h"

namespace akin {

namespace {

/// Beyond this many runs, whoever writes helps to merge.
constexpr std::size_t kMostRuns = 64;
constexpr std::chrono::minutes kMergePatience{10};
constexpr int kMostMerges = 8;

class LmdbStoreImpl final : public LmdbStore {
 public:
  explicit LmdbStoreImpl(std::shared_ptr<OpenStore> store) noexcept : store_(std::move(store)) {}

  const StoreIdentity& identity() const noexcept override { return store_->identity; }

  using Store::put;
  Result<PutResult> put(const NewDocument& document, const Precondition& condition) override {
    AKIN_TRY(const PreparedDocument prepared, prepare(document, store_->identity.store_text));
    PutResult result;
    AKIN_CHECK(write_if(prepared.id, condition, [&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(result, batch.put(prepared));
      return {};
    }));
    return result;
  }

  Result<std::vector<PutResult>> put_instead(const std::vector<NewDocument>& documents,
                                             const std::vector<Version>& displaced) override {
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, store_->identity.store_text));
    std::vector<PutResult> results;
    const auto change = [&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(results, put_instead_in(batch, std::span(prepared), displaced));
      return {};
    };
    AKIN_CHECK(write_deciding(change));
    return results;
  }

  Result<std::vector<PutResult>> put_all(const std::vector<NewDocument>& documents) override {
    if (documents.empty()) return std::vector<PutResult>();
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, store_->identity.store_text));
    std::vector<PutResult> results;
    AKIN_CHECK(write([&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(results, put_all_in(batch, std::span(prepared)));
      return {};
    }));
    return results;
  }

  Result<std::uint64_t> remove(const std::vector<std::string>& ids) override {
    if (ids.empty()) return std::uint64_t{0};
    std::uint64_t removed = 0;
    AKIN_CHECK(write([&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(removed, batch.remove(ids));
      return {};
    }));
    return removed;
  }

  Result<bool> remove_if(std::string_view id, const Precondition& condition) override {
    bool was_there = false;
    // Whoever wants a document gone is content when it is not there.
    AKIN_CHECK(write_if(id, Precondition(), [&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(was_there, batch.contains(id));
      if (!was_there) return {};
      Result<void> wanted = batch.require(id, condition);
      if (wanted.has_error()) return wanted;
      AKIN_TRY(was_there, batch.remove(id));
      return {};
    }));
    return was_there;
  }

  Result<std::vector<Result<PutResult>>> apply(const std::vector<Change>& changes,
                                               const std::function<void()>& ready) override {
    const std::vector<Result<PreparedDocument>> prepared =
        prepare_changes(changes, store_->identity.store_text);
    if (ready) ready();
    std::vector<Result<PutResult>> results;
    AKIN_CHECK(write([&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(results, apply_in(batch, changes, prepared));
      return {};
    }));
    return results;
  }

  Result<void> continue_after(std::uint64_t revision) override {
    if (revision > kMaxRevision) {
      return Error{Errc::invalid_argument, "revision", "larger than " + std::to_string(kMaxRevision), ""};
    }
    return store_->queue.write([&](DocumentBatch& batch) -> Result<void> {
      batch.continue_after(revision);
      return {};
    });
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override { return open_snapshot(store_); }

  Result<void> settle(bool everything) override { return settle_until(everything, {}); }

  Result<void> settle_until(bool everything, const std::stop_token& stop) override {
    const MergeEffort effort = everything ? MergeEffort::everything : MergeEffort::settle;
    std::atomic<bool> stopped = false;
    const std::stop_callback on_stop(stop, [&] { stopped = true; });
    // Bounded: a stream of writes would give it work for ever.
    bool more = true;
    for (int merges = 0; more && !stopped && merges < kMostMerges; ++merges) {
      AKIN_TRY(more, merge_once(*store_, effort, kMergePatience, stopped));
    }
    return {};
  }

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
  Result<void> write(const WriteQueue::Body& body) {
    AKIN_CHECK(store_->queue.write(body));
    store_->merger.poke();
    // The documents are in by now, whatever becomes of the merge.
    if (store_->queue.runs() > kMostRuns) static_cast<void>(merge_some());
    return {};
  }

  /// Runs `body` if the condition holds.
  Result<void> write_if(std::string_view id, const Precondition& condition, const WriteQueue::Body& body) {
    return write_deciding([&](DocumentBatch& batch) -> Result<void> {
      AKIN_CHECK(batch.require(id, condition));
      return body(batch);
    });
  }

  /// That a condition does not hold, which `body` must find before it has changed anything, is told beside
  /// the write: a write that fails makes those of its group be repeated one by one.
  Result<void> write_deciding(const WriteQueue::Body& body) {
    Result<void> decision{};
    AKIN_CHECK(write([&](DocumentBatch& batch) -> Result<void> {
      decision = body(batch);
      const bool refused = decision.has_error() && decision.error().code == Errc::precondition_failed;
      return refused ? Result<void>() : decision;
    }));
    return decision;
  }

  /// Merges in the writer's own time: it writes faster than the merging thread can follow.
  Result<bool> merge_some() {
    const std::atomic<bool> stop = false;
    return merge_once(*store_, MergeEffort::background, kMergePatience, stop);
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
