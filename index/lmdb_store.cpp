#include "index/lmdb_store.h"

#include <array>
#include <span>

#include "index/document_writer.h"
#include "index/lmdb_snapshot.h"
#include "index/open_store.h"

namespace akin {

namespace {

class LmdbStoreImpl final : public LmdbStore {
 public:
  explicit LmdbStoreImpl(std::shared_ptr<OpenStore> store) noexcept : store_(std::move(store)) {}

  const StoreIdentity& identity() const noexcept override { return store_->identity; }

  Result<bool> put(const NewDocument& document) override {
    AKIN_TRY(const std::uint64_t replaced, write(std::span(&document, 1)));
    return replaced != 0;
  }

  Result<std::uint64_t> put_all(const std::vector<NewDocument>& documents) override {
    if (documents.empty()) return std::uint64_t{0};
    return write(documents);
  }

  Result<std::uint64_t> remove(const std::vector<std::string>& ids) override {
    if (ids.empty()) return std::uint64_t{0};
    std::uint64_t removed = 0;
    AKIN_CHECK(store_->env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      AKIN_TRY(removed, remove_documents(txn, store_->tables, ids));
      return {};
    }));
    return removed;
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override { return open_snapshot(store_); }

  Result<void> sync() override { return store_->env.sync(); }

 private:
  Result<std::uint64_t> write(std::span<const NewDocument> documents) {
    std::vector<PreparedDocument> prepared;
    prepared.reserve(documents.size());
    for (const NewDocument& document : documents) {
      AKIN_TRY(PreparedDocument one, prepare(document));
      prepared.push_back(std::move(one));
    }
    std::uint64_t replaced = 0;
    AKIN_CHECK(store_->env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      AKIN_TRY(replaced, put_documents(txn, store_->tables, prepared));
      return {};
    }));
    return replaced;
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
