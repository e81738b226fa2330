#include "index/lmdb_store.h"

#include <atomic>
#include <chrono>
#include <span>

#include "index/document_writer.h"
#include "index/lmdb_snapshot.h"
#include "index/merge.h"
#include "index/open_store.h"

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

  Result<PutResult> put(const NewDocument& document) override {
    AKIN_TRY(const PreparedDocument prepared, prepare(document, store_->identity.store_text));
    AKIN_TRY(const std::vector<PutResult> results, write(std::span(&prepared, 1)));
    return results.front();
  }

  Result<std::vector<PutResult>> put_all(const std::vector<NewDocument>& documents) override {
    if (documents.empty()) return std::vector<PutResult>();
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, store_->identity.store_text));
    return write(prepared);
  }

  Result<std::uint64_t> remove(const std::vector<std::string>& ids) override {
    if (ids.empty()) return std::uint64_t{0};
    std::uint64_t removed = 0;
    AKIN_CHECK(store_->queue.write([&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(removed, batch.remove(ids));
      return {};
    }));
    store_->merger.poke();
    return removed;
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

  Result<void> settle(bool everything) override {
    const MergeEffort effort = everything ? MergeEffort::everything : MergeEffort::settle;
    const std::atomic<bool> stop = false;
    // Bounded: a stream of writes would give it work for ever.
    bool more = true;
    for (int merges = 0; more && merges < kMostMerges; ++merges) {
      AKIN_TRY(more, merge_once(*store_, effort, kMergePatience, stop));
    }
    return {};
  }

  Result<void> sync() override { return store_->env.sync(); }

 private:
  Result<std::vector<PutResult>> write(std::span<const PreparedDocument> documents) {
    std::vector<PutResult> results;
    AKIN_CHECK(store_->queue.write([&](DocumentBatch& batch) -> Result<void> {
      AKIN_TRY(results, batch.put(documents));
      return {};
    }));
    store_->merger.poke();
    // The documents are in by now, whatever becomes of the merge.
    if (store_->queue.runs() > kMostRuns) static_cast<void>(merge_some());
    return results;
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
