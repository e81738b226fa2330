#include "index/pg/store.h"

#include <utility>

#include "base/set_once.h"
#include "index/batch_changes.h"
#include "index/derived_features.h"
#include "index/pg/background.h"
#include "index/pg/batch.h"
#include "index/pg/merge.h"
#include "index/pg/snapshot.h"
#include "index/pg/writing.h"

namespace akin::pg {
namespace {

class PgStoreImpl final : public PgStore, public KeepsWords {
 public:
  PgStoreImpl(std::shared_ptr<Pool> pool, Parts parts, StoreNumber number, StoreDescription described)
      : pool_(std::move(pool)),
        parts_(std::move(parts)),
        number_(number),
        identity_(std::move(described.identity)),
        abilities_(described.abilities),
        background_(pool_, parts_, number_) {}

  const StoreIdentity& identity() const noexcept override { return identity_; }
  StoreNumber number() const noexcept override { return number_; }
  const Parts& parts() const noexcept override { return parts_; }
  const StoreAbilities& abilities() const noexcept override { return abilities_; }

  Result<WriteResults> write(std::span<const Change> changes, WriteMode mode,
                             const std::function<void()>& ready) override {
    const StoredForm form{.in_parts = abilities_.with_words, .words = keeps_words() ? words_.get() : nullptr};
    AKIN_TRY(const auto prepared, prepare_changes(changes, mode, identity_, form));
    if (ready) ready();
    WriteResults results;
    if (changes.empty()) return results;
    Writing writing;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      writing.ids.push_back(id_of(changes[i]));
      if (changes[i].document == nullptr || prepared[i].has_error()) continue;
      writing.documents.push_back(&*prepared[i]);
      writing.rehearse = writing.rehearse || changes[i].condition.kind != Precondition::Kind::none;
    }
    writing.body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, write_in(batch, changes, prepared, mode));
      return {};
    };
    AKIN_CHECK(commit(writing));
    return results;
  }

  void keep_words_by(EncodeWords encode) override { words_.set(std::move(encode)); }
  bool keeps_words() const override {
    return abilities_.with_words && identity_.store_text && words_.get() != nullptr;
  }

  Result<void> continue_after(Revision revision) override {
    if (revision > kMaxRevision) {
      return Error{Errc::invalid_argument, "revision", "larger than " + std::to_string(kMaxRevision.value),
                   ""};
    }
    Writing writing;
    writing.body = [&](Batch& batch) -> Result<void> {
      batch.continue_after(revision);
      return {};
    };
    return commit(writing);
  }

  Result<void> flush_and_merge(bool everything) override {
    return merge_store(*pool_, parts_, number_, {.erase = true, .everything = everything, .tidy = true});
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override {
    return open_snapshot(pool_, parts_, {number_, serial_, identity_, abilities_, cache_});
  }

 private:
  Result<void> commit(const Writing& writing) {
    AKIN_TRY(const Written written, write_documents(*pool_, parts_, number_, writing));
    background_.add(written);
    return {};
  }

  std::shared_ptr<Pool> pool_;
  Parts parts_;
  StoreNumber number_;
  const StoreSerial serial_ = next_store_serial();
  StoreIdentity identity_;
  StoreAbilities abilities_;
  SetOnce<EncodeWords> words_;
  std::shared_ptr<PostingCache> cache_ = std::make_shared<PostingCache>();
  Background background_;
};

}  // namespace

Result<std::shared_ptr<PgStore>> PgStore::create(const std::shared_ptr<Pool>& pool,
                                                 const StoreIdentity& identity) {
  StoreNumber number{};
  {
    AKIN_TRY(const Pool::Lease connection, pool->lease());
    AKIN_CHECK(make_schema(*connection));
    AKIN_CHECK(begin(*connection));
    AKIN_TRY(number, make_store(*connection, *pool, identity));
    AKIN_CHECK(commit(*connection));
  }
  return open(pool, number);
}

Result<std::shared_ptr<PgStore>> PgStore::open(const std::shared_ptr<Pool>& pool, StoreNumber number) {
  AKIN_TRY(const Pool::Lease connection, pool->lease());
  AKIN_CHECK(has_schema(*connection));
  AKIN_TRY(StoreDescription described, read_description(*connection, number));
  AKIN_TRY(Parts parts, Parts::read(*connection, *pool, number));
  // Shards erase content that no session of the primary can see; a standby's view is older than those.
  if (!parts.is_local() && connection->is_standby()) {
    return Error{Errc::unsupported, "database",
                 "it is the standby of a coordinator of shards, which cannot answer",
                 "give the address of the primary: target_session_attrs=read-write"};
  }
  return std::shared_ptr<PgStore>(
      std::make_shared<PgStoreImpl>(pool, std::move(parts), number, std::move(described)));
}

}  // namespace akin::pg
