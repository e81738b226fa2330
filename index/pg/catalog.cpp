#include "index/pg/catalog.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "base/background_failures.h"
#include "base/files.h"
#include "base/time.h"
#include "index/collection/collection_name.h"
#include "index/collection/entry_catalog.h"
#include "index/collection/new_collection.h"
#include "index/collection/transfer.h"
#include "index/pg/client/sessions.h"
#include "index/pg/generation_switch.h"
#include "index/pg/leftovers.h"
#include "index/pg/store.h"
#include "index/pg/tables/dictionaries.h"
#include "index/pg/tables/entry.h"
#include "index/pg/tables/format.h"
#include "index/pg/tables/schema.h"
#include "index/pg/unfinished_tables.h"
#include "index/write/derived_features.h"

namespace akin::pg {
namespace {

struct PgEntries {
  static constexpr OwnCopies kCopies{"collections in PostgreSQL are copied by its own tools",
                                     "use pg_dump -n akin", "use pg_restore"};
  std::shared_ptr<Pool> pool;

  [[nodiscard]] Result<Entry> current(std::string_view name) const {
    AKIN_TRY(const Pool::Loan connection, pool->borrow());
    return current_entry(*connection, name);
  }
  [[nodiscard]] Result<Entry> settled(std::string_view name) const { return current(name); }
  [[nodiscard]] Result<std::shared_ptr<PgStore>> open(const Entry& entry) const {
    return PgStore::open(pool, entry.store);
  }
  [[nodiscard]] Result<StoreIdentity> identity(const Entry& entry) const {
    AKIN_TRY(const Pool::Loan connection, pool->borrow());
    return read_identity(*connection, entry.store);
  }
  [[nodiscard]] Result<std::optional<std::string>> dictionary(const Entry& entry) const {
    AKIN_TRY(const Pool::Loan connection, pool->borrow());
    return kept_dictionary(*connection, entry.store);
  }
};

class PgCatalog final : public EntryCatalog<PgEntries> {
 public:
  PgCatalog(const std::shared_ptr<Pool>& pool, std::shared_ptr<Dictionaries> dictionaries)
      : EntryCatalog({pool}, std::move(dictionaries)), pool_(pool) {}

  Result<std::vector<std::string>> list() const override {
    AKIN_TRY(const Pool::Loan connection, pool_->borrow());
    AKIN_TRY(const Rows rows,
             connection->run("SELECT name FROM akin.collections WHERE expires = 0 OR expires > $1"
                             " ORDER BY name",
                             Params().number(microseconds(time_now()))));
    std::vector<std::string> names;
    for (std::size_t row = 0; row < rows.size(); ++row) names.emplace_back(rows.bytes(row, 0));
    return names;
  }

  Result<std::shared_ptr<Collection>> create(std::string_view name, std::string_view scheme_spec,
                                             bool store_text, bool store_file,
                                             std::string_view wanted_languages) override {
    AKIN_TRY(const NewBuild build,
             plan_collection({name, scheme_spec, store_text, store_file, wanted_languages}, *dictionaries_));
    {
      AKIN_TRY(const Pool::Loan connection, pool_->borrow());
      AKIN_CHECK(begin(*connection));
      AKIN_CHECK(lock_names(*connection));
      AKIN_TRY(const std::optional<Entry> known, read_entry(*connection, name));
      if (known && known->expires && *known->expires <= time_now()) {
        AKIN_CHECK(drop_locked(*connection, name, known->store));
      } else if (known) {
        return collection_exists(name);
      }
      AKIN_TRY(const StoreNumber store, make_store(*connection, build.identity));
      AKIN_CHECK(keep_dictionary(*connection, store, build.dictionary->packed()));
      AKIN_CHECK(connection->run(
          "INSERT INTO akin.collections (name, store, generation, token) VALUES ($1, $2, 1, $3)",
          Params().bytes(name).number(static_cast<std::int64_t>(store)).bytes(random_token())));
      AKIN_CHECK(commit(*connection));
    }
    return get(name);
  }

  Result<void> drop(std::string_view name) override {
    AKIN_TRY(const Pool::Loan connection, pool_->borrow());
    AKIN_CHECK(begin(*connection));
    AKIN_CHECK(lock_names(*connection));
    AKIN_TRY(const Entry entry, current_entry(*connection, name, " FOR UPDATE"));
    AKIN_CHECK(drop_locked(*connection, name, entry.store));
    AKIN_CHECK(commit(*connection));
    open_.remove(name);
    return {};
  }

  Result<void> set_expiry(std::string_view name, const std::optional<Time>& expires) override {
    AKIN_TRY(const Pool::Loan connection, pool_->borrow());
    AKIN_TRY(const Rows changed,
             connection->run(
                 "UPDATE akin.collections SET expires = $2 WHERE name = $1 AND (expires = 0 OR expires > $3)",
                 Params()
                     .bytes(name)
                     .number(expires ? microseconds(*expires) : 0)
                     .number(microseconds(time_now()))));
    return changed.changed() == 0 ? Result<void>(no_collection(name)) : Result<void>();
  }

  Result<std::vector<std::string>> drop_expired(const AskTime& lived) override {
    AKIN_TRY(const Pool::Loan connection, pool_->borrow());
    AKIN_TRY(const bool writes, may_write(*connection));
    if (!writes) return std::vector<std::string>();
    note_failure_of(Round::drop_unused_stores, drop_unused_stores(*pool_));
    AKIN_TRY(const Rows expired,
             connection->run("SELECT count(*) FROM akin.collections WHERE expires <> 0 AND expires <= $1",
                             Params().number(microseconds(time_now()))));
    if (expired.number(0, 0) == 0) return std::vector<std::string>();
    AKIN_TRY(const Time time, lived());
    AKIN_CHECK(begin(*connection));
    AKIN_CHECK(lock_names(*connection));
    // A database has a clock too: only one that agrees lets anything go.
    AKIN_TRY(const Rows rows,
             connection->run("SELECT name, store FROM akin.collections WHERE expires <> 0"
                             " AND expires <= least($1, $2)"
                             " AND expires <= (extract(epoch FROM clock_timestamp()) * 1e6)::bigint"
                             " ORDER BY name FOR UPDATE",
                             Params().number(microseconds(time)).number(microseconds(time_now()))));
    std::vector<std::string> names;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      names.emplace_back(rows.bytes(row, 0));
      AKIN_CHECK(drop_locked(*connection, names.back(), StoreNumber{rows.number(row, 1)}));
    }
    AKIN_CHECK(commit(*connection));
    for (const std::string& name : names) open_.remove(name);
    return names;
  }

  Result<std::optional<Staleness>> staleness() override {
    AKIN_TRY(const Pool::Loan connection, pool_->borrow());
    return read_staleness(*connection);
  }

  Result<OutdatedCollections> outdated() override {
    if (dictionaries_ == nullptr) return OutdatedCollections();
    AKIN_TRY(const Pool::Loan connection, pool_->borrow());
    return outdated_collections(*connection, *dictionaries_, known_);
  }

  Result<std::shared_ptr<Store>> open_for_update(std::string_view name) override {
    AKIN_TRY(Job job, begin_job(name));
    AKIN_TRY(std::shared_ptr<Store> store, open_store(name));
    const auto held =
        std::make_shared<std::pair<Job, std::shared_ptr<Store>>>(std::move(job), std::move(store));
    return std::shared_ptr<Store>(held, held->second.get());
  }

  Result<void> erase_leftovers() override { return leftovers_.erase(*pool_); }

  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity,
      const std::optional<std::string>& packed) override {
    return begin_tables(pool_, name, identity, packed);
  }

  Result<void> reindex(std::string_view name, std::string_view scheme, const JobControl& control) override {
    AKIN_TRY(const Job job, begin_job(name));
    return rebuild(name, scheme, control);
  }

  Result<Compaction> compact(std::string_view name, const JobControl& control) override {
    AKIN_TRY(const Job job, begin_job(name));
    AKIN_TRY(const Entry entry, current_entry(job.connection(), name));
    AKIN_TRY(const std::shared_ptr<PgStore> store, PgStore::open(pool_, entry.store));
    Compaction done;
    AKIN_TRY(done.bytes_before, disk_bytes(*store));
    const StoreIdentity& identity = store->identity();
    Transfer transfer({nullptr, nullptr, identity.store_text, identity.store_file}, control);
    AKIN_TRY(const std::optional<std::string> packed, kept_dictionary(job.connection(), entry.store));
    AKIN_CHECK(replace(name, *store, identity, packed, transfer));
    AKIN_TRY(const Entry replaced, current_entry(job.connection(), name));
    AKIN_TRY(const std::shared_ptr<PgStore> compacted, PgStore::open(pool_, replaced.store));
    AKIN_TRY(done.bytes_after, disk_bytes(*compacted));
    return done;
  }

 private:
  /// Held while collections are made or dropped.
  static Result<void> lock_names(Connection& connection) {
    return connection.command("SELECT " + call_of("pg_advisory_xact_lock", AdvisoryLock::names));
  }

  /// The collection disappears immediately; its tables are dropped later, as those of replaced generations,
  /// so that nobody waits for their readers.
  static Result<void> drop_locked(Connection& connection, std::string_view name, StoreNumber store) {
    AKIN_TRY(const bool alone, lock_job(connection, name, "pg_try_advisory_xact_lock"));
    if (!alone) return job_at_work(name);
    AKIN_CHECK(connection.run("DELETE FROM akin.collections WHERE name = $1", Params().bytes(name)));
    return retire_store(connection, store);
  }

  static Error job_at_work(std::string_view name) {
    return Error{Errc::busy, "collection '" + std::string(name) + "'", "it is being rebuilt or compacted",
                 "wait until that is done"};
  }

  /// Allows one job on a collection at a time, in any process, while this object lives.
  class Job {
   public:
    Job(Pool::Loan connection, std::string name)
        : connection_(std::move(connection)), name_(std::move(name)) {}
    Job(Job&&) noexcept = default;
    Job& operator=(Job&&) = delete;
    ~Job() {
      // If that fails, the connection is broken, and the lock is released with it.
      const bool was_moved_from = connection_.operator->() == nullptr;
      if (!was_moved_from) static_cast<void>(lock_job(*connection_, name_, "pg_advisory_unlock"));
    }
    [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

   private:
    Pool::Loan connection_;
    std::string name_;
  };

  [[nodiscard]] Result<Job> begin_job(std::string_view name) const {
    AKIN_TRY(Pool::Loan connection, pool_->borrow());
    AKIN_CHECK(current_entry(*connection, name));
    AKIN_TRY(const bool alone, lock_job(*connection, name, "pg_try_advisory_lock"));
    if (!alone) return job_at_work(name);
    return Job(std::move(connection), std::string(name));
  }

  Result<void> rebuild(std::string_view name, std::string_view scheme_spec, const JobControl& control) {
    Entry old;
    AKIN_CHECK(drop_unused_stores(*pool_));
    {
      AKIN_TRY(const Pool::Loan connection, pool_->borrow());
      AKIN_TRY(old, current_entry(*connection, name));
    }
    AKIN_TRY(const std::shared_ptr<PgStore> from, PgStore::open(pool_, old.store));
    AKIN_TRY(const Reindex next, plan_reindex("collection '" + std::string(name) + "'", from->identity(),
                                              {*dictionaries_, scheme_spec}));
    Transfer transfer(next.analysis, control);
    return replace(name, *from, next.identity, std::string(next.analysis.dictionary->packed()), transfer);
  }

  /// Makes another store from the collection, and replaces the one in use with it.
  Result<void> replace(std::string_view name, PgStore& from, const StoreIdentity& identity,
                       const std::optional<std::string>& packed, Transfer& transfer) {
    AKIN_TRY(const Pool::Loan maker, pool_->borrow());
    AKIN_CHECK(begin(*maker));
    AKIN_TRY(const StoreNumber number, make_store(*maker, identity));
    if (packed) AKIN_CHECK(keep_dictionary(*maker, number, *packed));
    // While this session lives, no other takes the store for one whose creation was interrupted.
    AKIN_CHECK(lock_store(*maker, number, "pg_try_advisory_lock"));
    AKIN_CHECK(commit(*maker));
    AKIN_TRY(const std::shared_ptr<PgStore> to, PgStore::open(pool_, number));
    if (transfer.keeps_features()) {
      let_derive(from, packed);  // for what is written meanwhile
      let_derive(*to, packed);
    } else {
      let_derive(*to, transfer.analysis().scheme, transfer.analysis().dictionary);
    }
    Result<void> outcome;
    {
      PgSwitch engine(*pool_, name, from, *to, transfer);
      outcome = replace_generation(engine, transfer);
    }
    if (outcome.has_error()) static_cast<void>(drop_store(*pool_, number));
    AKIN_CHECK(lock_store(*maker, number, "pg_advisory_unlock"));
    return outcome;
  }

  const std::shared_ptr<Pool> pool_;
  KnownDictionaries known_;
  Leftovers leftovers_;
};

}  // namespace

Result<std::shared_ptr<Catalog>> open_catalog(const std::string& conninfo,
                                              std::shared_ptr<Dictionaries> dictionaries, bool create) {
  const auto pool = std::make_shared<Pool>(conninfo);
  {
    AKIN_TRY(const Pool::Loan connection, pool->borrow());
    AKIN_CHECK(require_own_sessions(*connection, conninfo));
    if (create) AKIN_CHECK(make_schema(*connection));
    AKIN_TRY(const bool is_there, has_schema(*connection));
    if (!is_there) {
      return Error{Errc::not_found, "database", "there is no index of akin in it",
                   "check --store, or index something into it first"};
    }
  }
  {
    AKIN_TRY(const Pool::Loan connection, pool->borrow());
    AKIN_TRY(const bool writes, may_write(*connection));
    // What it cannot drop does not keep it from opening: a later round tries again.
    if (writes) note_failure_of(Round::drop_unused_stores, drop_unused_stores(*pool));
  }
  return std::shared_ptr<Catalog>(std::make_shared<PgCatalog>(pool, std::move(dictionaries)));
}

}  // namespace akin::pg
