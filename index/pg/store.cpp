#include "index/pg/store.h"

#include <utility>

#include "index/batch_changes.h"
#include "index/pg/background.h"
#include "index/pg/batch.h"
#include "index/pg/settling.h"
#include "index/pg/snapshot.h"
#include "index/pg/writing.h"

namespace akin::pg {
namespace {

class PgStoreImpl final : public PgStore {
 public:
  PgStoreImpl(std::shared_ptr<Pool> pool, Parts parts, StoreNumber number, StoreIdentity identity)
      : pool_(std::move(pool)),
        parts_(std::move(parts)),
        number_(number),
        identity_(std::move(identity)),
        background_(pool_, parts_, number_) {}

  const StoreIdentity& identity() const noexcept override { return identity_; }
  StoreNumber number() const noexcept override { return number_; }
  const Parts& parts() const noexcept override { return parts_; }

  using Store::put;
  Result<PutResult> put(const NewDocument& document, const Precondition& condition) override {
    AKIN_TRY(const PreparedDocument prepared, prepare(document, identity_.store_text, HashWidth::whole));
    PutResult result;
    Writing writing{.documents = {&prepared}, .ids = {prepared.id}};
    writing.rehearse = condition.kind != Precondition::Kind::none;
    writing.body = [&](Batch& batch) -> Result<void> {
      AKIN_CHECK(batch.require(prepared.id, condition));
      AKIN_TRY(result, batch.put(prepared));
      return {};
    };
    AKIN_CHECK(write(writing));
    return result;
  }

  Result<std::vector<PutResult>> put_instead(const std::vector<NewDocument>& documents,
                                             const std::vector<Version>& displaced) override {
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, identity_.store_text, HashWidth::whole));
    Writing writing = writing_of(prepared);
    for (const Version& one : displaced) writing.ids.emplace_back(one.id);
    writing.rehearse = true;
    std::vector<PutResult> results;
    writing.body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, put_instead_in(batch, std::span(prepared), displaced));
      return {};
    };
    AKIN_CHECK(write(writing));
    return results;
  }

  Result<std::vector<PutResult>> put_all(const std::vector<NewDocument>& documents) override {
    if (documents.empty()) return std::vector<PutResult>();
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, identity_.store_text, HashWidth::whole));
    Writing writing = writing_of(prepared);
    std::vector<PutResult> results;
    writing.body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, put_all_in(batch, std::span(prepared)));
      return {};
    };
    AKIN_CHECK(write(writing));
    return results;
  }

  Result<std::uint64_t> remove(const std::vector<std::string>& ids) override {
    if (ids.empty()) return std::uint64_t{0};
    std::uint64_t removed = 0;
    Writing writing;
    writing.ids.assign(ids.begin(), ids.end());
    writing.body = [&](Batch& batch) -> Result<void> {
      for (const std::string& id : ids) {
        AKIN_TRY(const bool was_there, batch.remove(id));
        removed += was_there ? 1U : 0U;
      }
      return {};
    };
    AKIN_CHECK(write(writing));
    return removed;
  }

  Result<bool> remove_if(std::string_view id, const Precondition& condition) override {
    bool was_there = false;
    Writing writing{.documents = {}, .ids = {id}};
    writing.body = [&](Batch& batch) -> Result<void> {
      // Whoever wants a document gone is content when it is not there.
      if (!batch.contains(id)) return {};
      AKIN_CHECK(batch.require(id, condition));
      AKIN_TRY(was_there, batch.remove(id));
      return {};
    };
    AKIN_CHECK(write(writing));
    return was_there;
  }

  Result<std::vector<Result<PutResult>>> apply(const std::vector<Change>& changes,
                                               const std::function<void()>& ready) override {
    const std::vector<Result<PreparedDocument>> prepared =
        prepare_changes(changes, identity_.store_text, HashWidth::whole);
    Writing writing;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const bool is_put = changes[i].document != nullptr;
      writing.ids.push_back(is_put ? std::string_view(changes[i].document->record.id) : changes[i].id);
      if (is_put && !prepared[i].has_error()) writing.documents.push_back(&*prepared[i]);
    }
    if (ready) ready();
    std::vector<Result<PutResult>> results;
    writing.body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, apply_in(batch, changes, prepared));
      return {};
    };
    AKIN_CHECK(write(writing));
    return results;
  }

  Result<void> continue_after(std::uint64_t revision) override {
    if (revision > kMaxRevision) {
      return Error{Errc::invalid_argument, "revision", "larger than " + std::to_string(kMaxRevision), ""};
    }
    Writing writing;
    writing.body = [&](Batch& batch) -> Result<void> {
      batch.continue_after(revision);
      return {};
    };
    return write(writing);
  }

  Result<void> settle(bool everything) override {
    return settle_store(*pool_, parts_, number_, {.erase = true, .everything = everything, .tidy = true});
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override {
    return open_snapshot(pool_, parts_, number_, identity_);
  }

 private:
  static Writing writing_of(std::span<const PreparedDocument> prepared) {
    Writing writing;
    writing.documents.reserve(prepared.size());
    for (const PreparedDocument& one : prepared) {
      writing.documents.push_back(&one);
      writing.ids.emplace_back(one.id);
    }
    return writing;
  }

  Result<void> write(const Writing& writing) {
    AKIN_TRY(const Written written, write_documents(*pool_, parts_, number_, writing));
    background_.add(written);
    return {};
  }

  std::shared_ptr<Pool> pool_;
  Parts parts_;
  StoreNumber number_;
  StoreIdentity identity_;
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
  AKIN_TRY(StoreIdentity identity, read_identity(*connection, number));
  AKIN_TRY(Parts parts, Parts::read(*connection, *pool, number));
  return std::shared_ptr<PgStore>(
      std::make_shared<PgStoreImpl>(pool, std::move(parts), number, std::move(identity)));
}

}  // namespace akin::pg
