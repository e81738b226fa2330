// Loading features, disk and searches of synthetic collections of 10^4, 10^5 … documents; searches with the
// page cache dropped, and with less memory than the index takes.
#include <algorithm>

#include "tests/bench/bench.h"
#include "tests/bench/disk_usage.h"
#include "tests/bench/memory_limit.h"
#include "tests/bench/process.h"
#include "tests/bench/synthetic_store.h"

namespace akin::bench {

namespace {

/// " at 10000 documents"
std::string at(std::uint64_t documents) { return " at " + std::to_string(documents) + " documents"; }

void report_load(Session& session, std::uint64_t begin, std::uint64_t end) {
  const SyntheticCollection collection(kSeed);
  const auto folder = session.scratch / "store";
  const auto store = begin == 0 ? make_store(folder) : open_store(folder);
  const MemoryWatch memory;
  const double seconds = fill(*store, collection, begin, end);
  const auto features = static_cast<double>((end - begin) * SyntheticCollection::kFeatures);
  session.add({"feature load" + at(end),
               features / seconds / 1e6,
               "M features/s",
               {},
               Better::higher,
               format("batches of 20,000 documents; peak anonymous memory %.0f MB",
                      static_cast<double>(memory.peak().anonymous) / 1e6)});
}

void report_disk(Session& session, std::uint64_t documents) {
  StoreStats stats;
  {
    const auto store = open_store(session.scratch / "store");
    stats = need(need(store->snapshot())->stats());
  }
  const DiskUsage usage = disk_usage(session.scratch / "store");
  const auto per = [](std::uint64_t bytes, std::uint64_t count) {
    return static_cast<double>(bytes) / static_cast<double>(count);
  };
  std::string tables;
  for (const TableUsage& table : usage.tables)
    if (table.bytes * 200 > usage.total)
      tables += (tables.empty() ? "" : ", ") + table.name + format(" %.2f", per(table.bytes, stats.features));
  session.add({"disk of a posting" + at(documents), per(usage.postings(), stats.postings), "bytes", 8.0,
               Better::lower, "pages of the tables of postings"});
  session.add({"disk of a feature" + at(documents), per(usage.total, stats.features), "bytes", 16.0,
               Better::lower, "all files without texts; " + tables});
}

void report_queries(Session& session, std::uint64_t documents) {
  stay_on_one_core();
  const SyntheticCollection collection(kSeed);
  const auto store = open_store(session.scratch / "store");
  for (const QueryKind& kind : query_kinds()) {
    (void)search_seconds(*store, collection, documents, 1000, kind);  // warms the cache
    const std::vector<double> seconds = search_seconds(*store, collection, documents, 1000, kind);
    const std::string where = at(documents) + ", " + kind.name;
    session.add({"query p50" + where, percentile(seconds, 0.5) * 1e3, "ms", 1.0, Better::lower,
                 "1,000 queries of 300 features, warm, one core"});
    session.add({"query p99" + where, percentile(seconds, 0.99) * 1e3, "ms", 10.0, Better::lower,
                 format("slowest %.3g ms", seconds.back() * 1e3)});
  }
}

void measure_queries(Session& session) {
  std::uint64_t filled = 0;
  for (std::uint64_t documents = 10'000; documents <= session.sizes.documents; documents *= 10) {
    isolated(session, [&](Session& inner) { report_load(inner, filled, documents); });
    filled = documents;
    isolated(session, [&](Session& inner) { report_disk(inner, documents); });
    isolated(session, [&](Session& inner) { report_queries(inner, documents); });
  }
}

/// Searches that find none of the store in memory: before each the pages are dropped and the store opened.
void report_cold_queries(Session& session, std::uint64_t documents) {
  constexpr std::size_t kColdQueries = 100;
  const SyntheticCollection collection(kSeed);
  const auto folder = session.scratch / "store";
  for (const QueryKind& kind : query_kinds()) {
    std::vector<double> cold, warm;
    double held = 0;
    for (std::size_t i = 0; i < kColdQueries; ++i) {
      const FeatureSequence query = collection.query(i, documents, SyntheticCollection::kQueryFeatures);
      held = std::max(held, drop_cached_pages(folder));
      if (held > 0.02) throw Skipped(format("the kernel keeps %.0f %% of the pages", held * 100));
      const auto store = open_store(folder);
      cold.push_back(search_once(*store, query, kind));
      warm.push_back(search_once(*store, query, kind));
    }
    std::sort(cold.begin(), cold.end());
    std::sort(warm.begin(), warm.end());
    const std::string where = at(documents) + ", " + kind.name;
    session.add({"cold query p50" + where,
                 percentile(cold, 0.5) * 1e3,
                 "ms",
                 {},
                 Better::lower,
                 format("the same at once again: %.3g ms", percentile(warm, 0.5) * 1e3)});
    session.add({"cold query p99" + where,
                 percentile(cold, 0.99) * 1e3,
                 "ms",
                 {},
                 Better::lower,
                 format("the same at once again: %.3g ms", percentile(warm, 0.99) * 1e3)});
  }
}

void measure_cold(Session& session) {
  const std::uint64_t documents = session.sizes.documents;
  isolated(session, [&](Session& inner) {
    const auto store = make_store(inner.scratch / "store");
    fill(*store, SyntheticCollection(kSeed), 0, documents);
  });
  isolated(session, [&](Session& inner) { report_cold_queries(inner, documents); });
}

/// Searches of an index that is larger than the memory for it: a quarter of its size, for pages of files and
/// the process together.
void report_larger_than_memory(Session& session, std::uint64_t documents, const MemoryLimit& limit) {
  const SyntheticCollection collection(kSeed);
  const auto folder = session.scratch / "store";
  std::vector<std::vector<double>> warm;
  {
    const auto store = open_store(folder);
    for (const QueryKind& kind : query_kinds()) {
      (void)search_seconds(*store, collection, documents, 1000, kind);
      warm.push_back(search_seconds(*store, collection, documents, 1000, kind));
    }
  }
  const double held = drop_cached_pages(folder);
  if (held > 0.02) throw Skipped(format("the kernel keeps %.0f %% of the pages", held * 100));
  limit.join();
  const auto store = open_store(folder);
  for (std::size_t i = 0; i < warm.size(); ++i) {
    const QueryKind kind = query_kinds()[i];
    (void)search_seconds(*store, collection, documents, 1000, kind);
    const std::vector<double> seconds = search_seconds(*store, collection, documents, 1000, kind);
    const double ratio = percentile(seconds, 0.5) / percentile(warm[i], 0.5);
    session.add({"query p50 in a quarter of the index's memory over warm" + at(documents) + ", " + kind.name,
                 ratio, "ratio", 10.0, Better::lower,
                 format("p50 %.3g ms, p99 %.3g ms; in memory %.3g and %.3g ms",
                        percentile(seconds, 0.5) * 1e3, percentile(seconds, 0.99) * 1e3,
                        percentile(warm[i], 0.5) * 1e3, percentile(warm[i], 0.99) * 1e3)});
  }
}

void measure_larger_than_memory(Session& session) {
  const std::uint64_t documents = session.sizes.documents;
  isolated(session, [&](Session& inner) {
    const auto store = make_store(inner.scratch / "store");
    fill(*store, SyntheticCollection(kSeed), 0, documents);
  });
  const MemoryLimit limit(disk_bytes(session.scratch / "store") / 4);
  isolated(session, [&](Session& inner) { report_larger_than_memory(inner, documents, limit); });
}

}  // namespace

std::vector<Measurement> query_measurements() {
  return {
      {"query", "feature load, disk and warm searches at 10^4, 10^5 … documents (--scale)", measure_queries},
      {"cold", "searches with the page cache dropped (--scale)", measure_cold},
      {"small-memory", "searches of an index four times as large as the memory (--scale)",
       measure_larger_than_memory}};
}

}  // namespace akin::bench
