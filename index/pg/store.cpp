#include "index/pg/store.h"

#include <utility>

#include "index/pg/background.h"
#include "index/pg/documents/batch.h"
#include "index/pg/documents/writing.h"
#include "index/pg/merge.h"
#include "index/pg/snapshot.h"
#include "index/write/batch_changes.h"

namespace akin::pg {
namespace {

class PgStoreImpl final : public PgStore {
 public:
  PgStoreImpl(std::shared_ptr<Pool> pool, StoreNumber number, StoreIdentity identity)
      : PgStore(std::move(identity)), pool_(std::move(pool)), number_(number), background_(pool_, number_) {}

  StoreNumber number() const noexcept override { return number_; }

  Result<WriteResults> write(std::span<Change> changes, WriteMode mode) override {
    AKIN_TRY(WriteResults results, refusals(changes, mode));
    if (are_all_refused(results)) return results;
    Writing writing;
    for (const Change& change : changes) {
      if (change.document && change.document->has_error()) continue;
      writing.ids.push_back(change.id);
      if (!change.document) continue;
      writing.documents.push_back(&**change.document);
      writing.rehearse = writing.rehearse || change.condition.kind != Precondition::Kind::none;
    }
    writing.body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, write_in(batch, changes, mode));
      return {};
    };
    AKIN_CHECK(commit(writing));
    return results;
  }

  Result<void> continue_after(Revision revision) override {
    AKIN_CHECK(check_revision(revision));
    Writing writing;
    writing.body = [&](Batch& batch) -> Result<void> {
      batch.continue_after(revision);
      return {};
    };
    return commit(writing);
  }

  Result<void> flush_and_merge(bool everything) override {
    return merge_store(*pool_, number_, {.erase = true, .everything = everything, .tidy = true});
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override {
    const DeriveFeatures* const features = derive();
    return open_snapshot(pool_,
                         {number_, serial_, identity(), cache_, features != nullptr ? *features : nullptr});
  }

 private:
  Result<void> commit(const Writing& writing) {
    AKIN_TRY(const Written written, write_documents(*pool_, number_, writing));
    background_.add(written);
    return {};
  }

  std::shared_ptr<Pool> pool_;
  StoreNumber number_;
  const StoreSerial serial_ = next_store_serial();
  std::shared_ptr<PostingCache> cache_ = std::make_shared<PostingCache>();
  Background background_;
};

}  // namespace

Result<std::shared_ptr<PgStore>> PgStore::create(const std::shared_ptr<Pool>& pool,
                                                 const StoreIdentity& identity) {
  StoreNumber number{};
  {
    AKIN_TRY(const Pool::Loan connection, pool->borrow());
    AKIN_CHECK(make_schema(*connection));
    AKIN_CHECK(begin(*connection));
    AKIN_TRY(number, make_store(*connection, identity));
    AKIN_CHECK(commit(*connection));
  }
  return open(pool, number);
}

Result<std::shared_ptr<PgStore>> PgStore::open(const std::shared_ptr<Pool>& pool, StoreNumber number) {
  AKIN_TRY(const Pool::Loan connection, pool->borrow());
  AKIN_CHECK(has_schema(*connection));
  AKIN_TRY(StoreIdentity identity, read_identity(*connection, number));
  return std::shared_ptr<PgStore>(std::make_shared<PgStoreImpl>(pool, number, std::move(identity)));
}

}  // namespace akin::pg
