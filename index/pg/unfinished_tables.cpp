#include "index/pg/unfinished_tables.h"

#include <string>
#include <utility>

#include "base/files.h"
#include "index/pg/store.h"
#include "index/pg/tables/dictionaries.h"
#include "index/pg/tables/entry.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {
namespace {

class UnfinishedTables final : public UnfinishedCollection {
 public:
  /// `connection` holds the lock.
  UnfinishedTables(Pool::Loan connection, std::string name)
      : connection_(std::move(connection)), name_(std::move(name)) {}
  ~UnfinishedTables() override {
    // If that fails, the session has ended, and the lock with it.
    static_cast<void>(lock_job(*connection_, name_, "pg_advisory_unlock"));
  }
  UnfinishedTables(const UnfinishedTables&) = delete;
  UnfinishedTables& operator=(const UnfinishedTables&) = delete;

  /// Continues with the unfinished store, or creates one.
  Result<void> open_or_make(const std::shared_ptr<Pool>& pool, const StoreIdentity& identity,
                            const std::optional<std::string>& packed) {
    AKIN_TRY(const Rows rows,
             connection_->run("SELECT store FROM akin.copies WHERE name = $1", Params().bytes(name_)));
    if (rows.size() > 0) {
      const StoreNumber left{rows.number(0, 0)};
      AKIN_TRY(store_, PgStore::open(pool, left));
      if (same_content(store_->identity(), identity)) return {};
      AKIN_CHECK(drop_store(*pool, left));
    }
    AKIN_CHECK(begin(*connection_));
    AKIN_TRY(const StoreNumber number, make_store(*connection_, identity));
    if (packed) AKIN_CHECK(keep_dictionary(*connection_, number, *packed));
    AKIN_CHECK(connection_->run("INSERT INTO akin.copies VALUES ($1, $2)",
                                Params().bytes(name_).number(static_cast<std::int64_t>(number))));
    AKIN_CHECK(commit(*connection_));
    AKIN_TRY(store_, PgStore::open(pool, number));
    return {};
  }

  [[nodiscard]] Store& store() const noexcept override { return *store_; }

  Result<void> finish(const std::optional<Time>& expires) override {
    AKIN_CHECK(begin(*connection_));
    const Result<Rows> made = connection_->run(
        "INSERT INTO akin.collections (name, store, generation, token, expires)"
        " VALUES ($1, $2, 1, $3, $4) ON CONFLICT (name) DO NOTHING",
        Params()
            .bytes(name_)
            .number(static_cast<std::int64_t>(store_->number()))
            .bytes(random_token())
            .number(expires ? microseconds(*expires) : 0));
    if (made.has_error() || made->changed() == 0) {
      AKIN_CHECK(connection_->command("ROLLBACK"));
      if (made.has_error()) return made.error();
      return Error{Errc::already_exists, "collection '" + name_ + "'", "it was made meanwhile", ""};
    }
    AKIN_CHECK(connection_->run("DELETE FROM akin.copies WHERE name = $1", Params().bytes(name_)));
    return commit(*connection_);
  }

 private:
  Pool::Loan connection_;
  std::string name_;
  std::shared_ptr<PgStore> store_;
};

}  // namespace

Result<std::unique_ptr<UnfinishedCollection>> begin_tables(const std::shared_ptr<Pool>& pool,
                                                           std::string_view name,
                                                           const StoreIdentity& identity,
                                                           const std::optional<std::string>& packed) {
  AKIN_TRY(Pool::Loan connection, pool->borrow());
  AKIN_TRY(const bool alone, lock_job(*connection, name, "pg_try_advisory_lock"));
  if (!alone) {
    return Error{Errc::busy, "collection '" + std::string(name) + "'",
                 "a job on a collection with this name is running in the database",
                 "wait until that is done"};
  }
  auto unfinished = std::make_unique<UnfinishedTables>(std::move(connection), std::string(name));
  AKIN_CHECK(unfinished->open_or_make(pool, identity, packed));
  return std::unique_ptr<UnfinishedCollection>(std::move(unfinished));
}

}  // namespace akin::pg
