#include "index/pg/store.h"

#include <utility>

#include "index/batch_changes.h"
#include "index/pg/batch.h"
#include "index/pg/snapshot.h"

namespace akin::pg {
namespace {

/// Features that at least so many documents have are hints.
constexpr std::int64_t kHotDocuments = 1'000;

class PgStoreImpl final : public PgStore {
 public:
  PgStoreImpl(std::shared_ptr<Pool> pool, StoreNumber number, StoreIdentity identity)
      : pool_(std::move(pool)), number_(number), identity_(std::move(identity)) {}

  const StoreIdentity& identity() const noexcept override { return identity_; }
  StoreNumber number() const noexcept override { return number_; }

  using Store::put;
  Result<PutResult> put(const NewDocument& document, const Precondition& condition) override {
    AKIN_TRY(const PreparedDocument prepared, prepare(document, identity_.store_text, HashWidth::whole));
    PutResult result;
    const std::string_view id = prepared.id;
    const auto body = [&](Batch& batch) -> Result<void> {
      AKIN_CHECK(batch.require(id, condition));
      AKIN_TRY(result, batch.put(prepared));
      return {};
    };
    AKIN_CHECK(write({&id, 1}, body));
    return result;
  }

  Result<std::vector<PutResult>> put_instead(const std::vector<NewDocument>& documents,
                                             const std::vector<Version>& displaced) override {
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, identity_.store_text, HashWidth::whole));
    std::vector<std::string_view> ids;
    ids.reserve(prepared.size() + displaced.size());
    for (const PreparedDocument& one : prepared) ids.emplace_back(one.id);
    for (const Version& one : displaced) ids.emplace_back(one.id);
    std::vector<PutResult> results;
    const auto body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, put_instead_in(batch, std::span(prepared), displaced));
      return {};
    };
    AKIN_CHECK(write(ids, body));
    return results;
  }

  Result<std::vector<PutResult>> put_all(const std::vector<NewDocument>& documents) override {
    if (documents.empty()) return std::vector<PutResult>();
    AKIN_TRY(const std::vector<PreparedDocument> prepared,
             prepare_all(documents, identity_.store_text, HashWidth::whole));
    std::vector<std::string_view> ids;
    ids.reserve(prepared.size());
    for (const PreparedDocument& one : prepared) ids.emplace_back(one.id);
    std::vector<PutResult> results;
    const auto body = [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, batch.put(prepared));
      return {};
    };
    AKIN_CHECK(write(ids, body));
    return results;
  }

  Result<std::uint64_t> remove(const std::vector<std::string>& ids) override {
    if (ids.empty()) return std::uint64_t{0};
    std::uint64_t removed = 0;
    const std::vector<std::string_view> views(ids.begin(), ids.end());
    AKIN_CHECK(write(views, [&](Batch& batch) -> Result<void> {
      for (const std::string_view id : views) {
        AKIN_TRY(const bool was_there, batch.remove(id));
        removed += was_there ? 1U : 0U;
      }
      return {};
    }));
    return removed;
  }

  Result<bool> remove_if(std::string_view id, const Precondition& condition) override {
    bool was_there = false;
    const auto body = [&](Batch& batch) -> Result<void> {
      // Whoever wants a document gone is content when it is not there.
      if (!batch.contains(id)) return {};
      AKIN_CHECK(batch.require(id, condition));
      AKIN_TRY(was_there, batch.remove(id));
      return {};
    };
    AKIN_CHECK(write({&id, 1}, body));
    return was_there;
  }

  Result<std::vector<Result<PutResult>>> apply(const std::vector<Change>& changes,
                                               const std::function<void()>& ready) override {
    const std::vector<Result<PreparedDocument>> prepared =
        prepare_changes(changes, identity_.store_text, HashWidth::whole);
    std::vector<std::string_view> ids;
    ids.reserve(changes.size());
    for (const Change& change : changes)
      ids.push_back(change.document == nullptr ? change.id : std::string_view(change.document->record.id));
    if (ready) ready();
    std::vector<Result<PutResult>> results;
    AKIN_CHECK(write(ids, [&](Batch& batch) -> Result<void> {
      AKIN_TRY(results, apply_in(batch, changes, prepared));
      return {};
    }));
    return results;
  }

  Result<void> continue_after(std::uint64_t revision) override {
    if (revision > kMaxRevision) {
      return Error{Errc::invalid_argument, "revision", "larger than " + std::to_string(kMaxRevision), ""};
    }
    return write({}, [&](Batch& batch) -> Result<void> {
      batch.continue_after(revision);
      return {};
    });
  }

  Result<void> settle(bool /*everything*/) override {
    AKIN_TRY(const Pool::Lease connection, pool_->lease());
    AKIN_CHECK(begin(*connection));
    AKIN_CHECK(connection->command(of_store("DELETE FROM akin.h_@", number_)));
    AKIN_CHECK(connection->run(of_store("INSERT INTO akin.h_@ SELECT key, count(*) FROM akin.p_@ GROUP BY key"
                                        " HAVING count(*) >= $1 ON CONFLICT (key) DO NOTHING",
                                        number_),
                               Params().number(kHotDocuments)));
    AKIN_CHECK(commit(*connection));
    return connection->command(of_store("VACUUM (ANALYZE) akin.d_@, akin.p_@, akin.r_@, akin.h_@", number_));
  }

  Result<std::unique_ptr<Snapshot>> snapshot() const override {
    return open_snapshot(pool_, number_, identity_);
  }

 private:
  /// One transaction: what `body` does, or nothing.
  Result<void> write(std::span<const std::string_view> ids, const std::function<Result<void>(Batch&)>& body) {
    AKIN_TRY(const Pool::Lease connection, pool_->lease());
    AKIN_TRY(Batch batch, Batch::begin(*connection, number_, ids));
    AKIN_CHECK(body(batch));
    return batch.finish();
  }

  std::shared_ptr<Pool> pool_;
  StoreNumber number_;
  StoreIdentity identity_;
};

}  // namespace

Result<std::shared_ptr<PgStore>> PgStore::create(std::shared_ptr<Pool> pool, const StoreIdentity& identity) {
  AKIN_TRY(const Pool::Lease connection, pool->lease());
  AKIN_CHECK(make_schema(*connection));
  AKIN_CHECK(begin(*connection));
  AKIN_TRY(const StoreNumber number, make_store(*connection, identity));
  AKIN_CHECK(commit(*connection));
  return std::shared_ptr<PgStore>(std::make_shared<PgStoreImpl>(std::move(pool), number, identity));
}

Result<std::shared_ptr<PgStore>> PgStore::open(std::shared_ptr<Pool> pool, StoreNumber number) {
  AKIN_TRY(const Pool::Lease connection, pool->lease());
  AKIN_TRY(StoreIdentity identity, read_identity(*connection, number));
  return std::shared_ptr<PgStore>(
      std::make_shared<PgStoreImpl>(std::move(pool), number, std::move(identity)));
}

}  // namespace akin::pg
