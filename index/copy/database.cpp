#include <utility>

#include "base/files.h"
#include "index/collection.h"
#include "index/copy/place.h"
#include "index/pg/catalog.h"
#include "index/pg/entry.h"
#include "index/pg/schema.h"
#include "index/pg/store.h"

namespace akin {
namespace {

using pg::Params;
using pg::Pool;
using pg::Rows;

/// The lock of jobs on collections, held as long as the session lasts.
constexpr const char* kTryLock =
    "SELECT pg_try_advisory_lock(4704133, hashtext(encode($1, 'hex')))::int::bigint";
constexpr const char* kUnlock =
    "SELECT pg_advisory_unlock(4704133, hashtext(encode($1, 'hex')))::int::bigint";

class UnfinishedTables final : public UnfinishedStore {
 public:
  /// `connection` holds the lock.
  UnfinishedTables(Pool::Lease connection, std::string name)
      : connection_(std::move(connection)), name_(std::move(name)) {}
  ~UnfinishedTables() override {
    // Where that fails the session has ended, and the lock with it.
    static_cast<void>(connection_->run(kUnlock, Params().bytes(name_)));
  }
  UnfinishedTables(const UnfinishedTables&) = delete;
  UnfinishedTables& operator=(const UnfinishedTables&) = delete;

  /// Takes up what is there, or makes a store.
  Result<void> begin(const std::shared_ptr<Pool>& pool, const StoreIdentity& identity) {
    AKIN_TRY(const Rows rows,
             connection_->run("SELECT store FROM akin.copies WHERE name = $1", Params().bytes(name_)));
    if (rows.size() > 0) {
      const pg::StoreNumber left{rows.number(0, 0)};
      AKIN_TRY(store_, pg::PgStore::open(pool, left));
      if (same_identity(store_->identity(), identity)) return {};
      AKIN_CHECK(pg::drop_store(*pool, left));
    }
    AKIN_CHECK(pg::begin(*connection_));
    AKIN_TRY(const pg::StoreNumber number, pg::make_store(*connection_, *pool, identity));
    AKIN_CHECK(connection_->run("INSERT INTO akin.copies VALUES ($1, $2)",
                                Params().bytes(name_).number(static_cast<std::int64_t>(number))));
    AKIN_CHECK(pg::commit(*connection_));
    AKIN_TRY(store_, pg::PgStore::open(pool, number));
    return {};
  }

  [[nodiscard]] Store& store() const noexcept override { return *store_; }

  Result<void> finish(const std::optional<Time>& expires) override {
    AKIN_CHECK(pg::begin(*connection_));
    const Result<Rows> made = connection_->run(
        "INSERT INTO akin.collections (name, store, generation, token, expires)"
        " VALUES ($1, $2, 1, $3, $4) ON CONFLICT (name) DO NOTHING",
        Params()
            .bytes(name_)
            .number(static_cast<std::int64_t>(store_->number()))
            .bytes(random_token())
            .number(expires ? pg::microseconds(*expires) : 0));
    if (made.has_error() || made->changed() == 0) {
      AKIN_CHECK(connection_->command("ROLLBACK"));
      if (made.has_error()) return made.error();
      return Error{Errc::already_exists, "collection '" + name_ + "'", "it was made meanwhile", ""};
    }
    AKIN_CHECK(connection_->run("DELETE FROM akin.copies WHERE name = $1", Params().bytes(name_)));
    return pg::commit(*connection_);
  }

 private:
  Pool::Lease connection_;
  std::string name_;
  std::shared_ptr<pg::PgStore> store_;
};

class Database final : public Place {
 public:
  Database(const std::string& conninfo, std::shared_ptr<Catalog> catalog)
      : pool_(std::make_shared<Pool>(conninfo)), catalog_(std::move(catalog)) {}

  Result<std::vector<std::string>> list() const override { return catalog_->list(); }

  Result<std::optional<PlacedStore>> find(const std::string& name) const override {
    AKIN_CHECK(check_collection_name(name));
    AKIN_TRY(const Pool::Lease connection, pool_->lease());
    AKIN_TRY(const std::optional<pg::Entry> entry, pg::read_entry(*connection, name));
    if (!entry || (entry->expires && *entry->expires <= time_now())) return std::optional<PlacedStore>();
    AKIN_TRY(std::shared_ptr<pg::PgStore> store, pg::PgStore::open(pool_, entry->store));
    return std::optional(PlacedStore{std::move(store), entry->expires});
  }

  Result<std::unique_ptr<UnfinishedStore>> begin(const std::string& name,
                                                 const StoreIdentity& identity) override {
    AKIN_CHECK(check_collection_name(name));
    AKIN_TRY(Pool::Lease connection, pool_->lease());
    AKIN_TRY(const Rows locked, connection->run(kTryLock, Params().bytes(name)));
    if (locked.number(0, 0) == 0) {
      return Error{Errc::busy, "collection '" + name + "'",
                   "a job on a collection of this name is at work in the database",
                   "wait until that is done"};
    }
    auto unfinished = std::make_unique<UnfinishedTables>(std::move(connection), name);
    AKIN_CHECK(unfinished->begin(pool_, identity));
    return std::unique_ptr<UnfinishedStore>(std::move(unfinished));
  }

 private:
  std::shared_ptr<Pool> pool_;
  std::shared_ptr<Catalog> catalog_;
};

}  // namespace

Result<std::unique_ptr<Place>> open_database(const std::string& conninfo, bool create) {
  AKIN_TRY(std::shared_ptr<Catalog> catalog, pg::open_catalog(conninfo, nullptr, "", create));
  return std::unique_ptr<Place>(std::make_unique<Database>(conninfo, std::move(catalog)));
}

}  // namespace akin
