// The same collection in LMDB and in PostgreSQL.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "index/pg/inner_copy.h"
#include "index/pg/merge.h"
#include "index/pg/store.h"
#include "tests/bench/bench.h"
#include "tests/bench/process.h"
#include "tests/bench/script_rows.h"
#include "tests/bench/synthetic_store.h"
#include "tests/support/postgresql_server.h"

namespace akin::bench {

namespace {

constexpr std::size_t kStoreQueries = 500;
constexpr std::array<std::uint64_t, 3> kBounds{60, 30, 3};
constexpr std::uint64_t kPuts = 300;
/// Before the fold that follows them.
constexpr std::uint64_t kFoldedPuts = 4'000;

/// The buffers' part of the machine's memory, as PostgreSQL's documentation and docs/scale.md advise.
constexpr std::uint64_t kBufferShare = 4;

/// The write-ahead log that the servers may keep, which a load of many documents fills.
constexpr std::uint64_t kMostLog = std::uint64_t{8} << 30U;

/// A PostgreSQL server in a folder of its own.
class Server {
 public:
  explicit Server(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    // Root's server runs as somebody else.
    for (const std::filesystem::path& above : {folder, folder.parent_path()}) {
      std::filesystem::permissions(above, std::filesystem::perms::others_exec,
                                   std::filesystem::perm_options::add);
    }
    const std::filesystem::path own = folder / "server";
    std::filesystem::create_directories(own);
    const auto megabytes = [](std::uint64_t bytes) { return std::to_string(bytes >> 20U) + "MB"; };
    server_ = std::make_unique<test::PostgresqlServer>(
        own, std::vector<std::string>{"shared_buffers=" + megabytes(machine_memory() / kBufferShare),
                                      "max_wal_size=" + megabytes(kMostLog), "checkpoint_timeout=15min",
                                      "wal_compression=lz4", "synchronous_commit=on"});
    database_ = need(server_->make_database());
  }

  [[nodiscard]] const std::string& database() const noexcept { return database_; }

  /// Bytes of write-ahead log that it has written.
  [[nodiscard]] double wal() const {
    const auto connection = need(pg::Connection::open(database_));
    return static_cast<double>(
        need(connection->run_once("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")).number(0, 0));
  }

  [[nodiscard]] double processor_seconds() const { return server_->processor_seconds(); }

  void checkpoint() const { need(need(pg::Connection::open(database_))->command("CHECKPOINT")); }

 private:
  std::unique_ptr<test::PostgresqlServer> server_;
  std::string database_;
};

std::shared_ptr<pg::PgStore> make_pg_store(const std::shared_ptr<pg::Pool>& pool) {
  return need(pg::PgStore::create(pool, {"sentence-pairs", "synthetic", ""}));
}

/// A store of an engine.
struct Subject {
  std::string name;
  std::shared_ptr<Store> store;
  const Server* server = nullptr;  ///< null: LMDB

  /// As `akin compact` does: a store in PostgreSQL is replaced.
  void compact() {
    const auto old = std::dynamic_pointer_cast<pg::PgStore>(store);
    if (old == nullptr) return need(store->flush_and_merge(true));
    const auto pool = std::make_shared<pg::Pool>(server->database());
    const std::shared_ptr<pg::PgStore> next = make_pg_store(pool);
    const JobControl control;
    Transfer transfer({nullptr, nullptr, false, false}, control);
    need(pg::copy_inside(*pool, {old->number(), next->number()}, transfer));
    need(pg::merge_store(*pool, next->number(), {.erase = false, .tidy = true}));
    store = next;
  }
};

struct SearchFigures {
  std::vector<double> seconds;   ///< of each, sorted
  double hits = 0;               ///< of one, on the average
  double processor_seconds = 0;  ///< akin's of one, on the average
};

/// Searches one after the other, each with a snapshot of its own.
SearchFigures search_some(const Store& store, const SyntheticCollection& collection, std::uint64_t documents,
                          std::uint64_t bound) {
  SearchFigures figures;
  for (std::size_t i = 0; i < kStoreQueries; ++i) {
    const FeatureSequence query = collection.query(i, documents, SyntheticCollection::kQueryFeatures);
    SearchRequest request;
    request.query = &query;
    request.bound = bound;
    const Stopwatch watch;
    const double before = process_seconds();
    const SearchResult result = need(need(store.snapshot())->search(request));
    figures.processor_seconds += (process_seconds() - before) / static_cast<double>(kStoreQueries);
    figures.seconds.push_back(watch.seconds());
    figures.hits += static_cast<double>(result.total) / static_cast<double>(kStoreQueries);
  }
  std::sort(figures.seconds.begin(), figures.seconds.end());
  return figures;
}

/// Seconds of puts one after the other, sorted.
std::vector<double> put_some(Store& store, const SyntheticCollection& collection, std::uint64_t begin,
                             std::uint64_t count) {
  std::vector<double> seconds;
  for (std::uint64_t number = begin; number < begin + count; ++number) {
    const FeatureSequence features = collection.document(number);
    const Stopwatch watch;
    need(store.put(as_document(features, SyntheticCollection::id(number))));
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

void report_queries(Session& session, const Subject& subject, const SyntheticCollection& collection,
                    std::uint64_t documents) {
  (void)search_some(*subject.store, collection, documents, kBounds.back());  // warms the caches
  for (const std::uint64_t bound : kBounds) {
    const auto server_seconds = [&] {
      return subject.server == nullptr ? 0.0 : subject.server->processor_seconds();
    };
    const double before = server_seconds();
    const SearchFigures figures = search_some(*subject.store, collection, documents, bound);
    const double of_server = (server_seconds() - before) / static_cast<double>(kStoreQueries);
    session.add(
        {format("store %s, query p50, bound %llu", subject.name.c_str(),
                static_cast<unsigned long long>(bound)),
         percentile(figures.seconds, 0.5) * 1e3,
         "ms",
         {},
         Better::lower,
         format("p99 %.3g ms, slowest %.3g ms; %zu queries of 300 features, warm; %.1f hits on the average;"
                " processor of a query: akin %.3g ms, server %.3g ms",
                percentile(figures.seconds, 0.99) * 1e3, figures.seconds.back() * 1e3, kStoreQueries,
                figures.hits, figures.processor_seconds * 1e3, of_server * 1e3)});
  }
}

StoreStats stats_of(const Subject& subject) { return need(need(subject.store->snapshot())->stats()); }

double disk_of(const Subject& subject) {
  const StoreStats stats = stats_of(subject);
  return static_cast<double>(stats.disk_bytes) / static_cast<double>(stats.postings);
}

/// Whether a compact copy fits beside the store: it takes half of what a load leaves, and its log.
bool has_room_for_copy(const Session& session, const Subject& subject) {
  return subject.server == nullptr ||
         std::filesystem::space(session.scratch).available > stats_of(subject).disk_bytes;
}

void report_puts(Session& session, const Subject& subject, const SyntheticCollection& collection,
                 std::uint64_t& documents) {
  const double wal = subject.server != nullptr ? (subject.server->checkpoint(), subject.server->wal()) : 0;
  const std::vector<double> seconds = put_some(*subject.store, collection, documents, kPuts);
  documents += kPuts;
  session.add(
      {"store " + subject.name + ", durable put p50",
       percentile(seconds, 0.5) * 1e3,
       "ms",
       {},
       Better::lower,
       format("p99 %.3g ms; one client, 150 features, after a checkpoint", percentile(seconds, 0.99) * 1e3)});
  if (subject.server == nullptr) return;
  const double put_wal = (subject.server->wal() - wal) / static_cast<double>(kPuts);
  session.add({"store " + subject.name + ", write-ahead log of a put after a checkpoint",
               put_wal / 1e3,
               "kB",
               {},
               Better::lower,
               format("mean of %llu", static_cast<unsigned long long>(kPuts))});
}

void report_folding(Session& session, const Subject& subject, const SyntheticCollection& collection,
                    std::uint64_t& documents) {
  subject.server->checkpoint();
  const double wal = subject.server->wal();
  (void)put_some(*subject.store, collection, documents, kFoldedPuts);
  documents += kFoldedPuts;
  const double put = (subject.server->wal() - wal) / static_cast<double>(kFoldedPuts);
  const Stopwatch watch;
  need(subject.store->flush_and_merge(false));
  const double all = (subject.server->wal() - wal) / static_cast<double>(kFoldedPuts);
  session.add({"store " + subject.name + ", write-ahead log of a document put and made compact",
               all / 1e3,
               "kB",
               {},
               Better::lower,
               format("mean of %llu, %.3g kB of it the puts'; made compact in %.3g s",
                      static_cast<unsigned long long>(kFoldedPuts), put / 1e3, watch.seconds())});
}

void report(Session& session, Subject subject) {
  const SyntheticCollection collection(kSeed);
  std::uint64_t documents = session.sizes.documents;
  const double wal = subject.server != nullptr ? subject.server->wal() : 0;
  const double seconds = fill(*subject.store, collection, 0, documents);
  const auto features = static_cast<double>(documents * SyntheticCollection::kFeatures);
  session.add({"store " + subject.name + ", load",
               features / seconds / 1e6,
               "M features/s",
               {},
               Better::higher,
               subject.server == nullptr
                   ? "batches of 20,000 documents, settled"
                   : format("batches of 20,000 documents, settled; write-ahead log %.3g kB a document",
                            (subject.server->wal() - wal) / static_cast<double>(documents) / 1e3)});
  const double loaded = disk_of(subject);
  report_queries(session, subject, collection, documents);
  if (!has_room_for_copy(session, subject)) {
    session.add({"store " + subject.name + ", disk of a posting",
                 loaded,
                 "bytes",
                 {},
                 Better::lower,
                 "as loaded: the disk has no room for a compact copy beside it"});
    return;
  }
  const Stopwatch compacting;
  subject.compact();
  session.add({"store " + subject.name + ", made compact",
               compacting.seconds(),
               "s",
               {},
               Better::lower,
               subject.server == nullptr ? "all postings merged; akin compact then copies the pages"
                                         : "as by akin compact, into another store beside it"});
  session.add({"store " + subject.name + ", disk of a posting",
               disk_of(subject),
               "bytes",
               {},
               Better::lower,
               format("everything of a collection without texts; %.3g bytes before that", loaded)});
  report_puts(session, subject, collection, documents);
  if (subject.server == nullptr) return;
  report_folding(session, subject, collection, documents);
}

void measure_lmdb(Session& session) {
  report(session, {"LMDB", make_store(session.scratch / "lmdb"), nullptr});
}

void measure_one(Session& session) {
  const Server server(session.scratch / "one");
  report(session, {"PostgreSQL", make_pg_store(std::make_shared<pg::Pool>(server.database())), &server});
}

void measure_stores(Session& session) {
  const auto in_turn = [&](void (*measure)(Session&), const char* folder) {
    isolated(session, measure);
    std::filesystem::remove_all(session.scratch / folder);  // room for the next
  };
  in_turn(measure_lmdb, "lmdb");
  if (!test::has_postgresql()) throw Skipped("PostgreSQL is not installed");
  in_turn(measure_one, "one");
}

void measure_engines(Session& session) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  add_rows_of(session, "engines.py",
              {AKIN_BENCH_BUILD, session.scratch.string(), std::to_string(session.sizes.documents)}, "");
}

}  // namespace

std::vector<Measurement> store_measurements() {
  return {{"store", "LMDB and PostgreSQL: load, disk, searches, puts, log (--scale)", measure_stores},
          {"engines",
           "LMDB, PostgreSQL and OpenSearch as users have them: load, disk, searches, checks, puts (--scale)",
           measure_engines}};
}

}  // namespace akin::bench
