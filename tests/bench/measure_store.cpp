// Storing and searching: synthetic collections of 10^4, 10^5 … documents in the LMDB store.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "index/lmdb_store.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

namespace {

constexpr std::uint64_t kSeed = 20'09;

std::shared_ptr<LmdbStore> make_store(const std::filesystem::path& folder) {
  return need(LmdbStore::create(folder, {"sentence-pairs", "synthetic", ""}));
}

NewDocument as_document(const FeatureSequence& features, std::string id) {
  NewDocument document;
  document.record.id = std::move(id);
  document.record.code_points = features.code_points;
  document.record.sentences = features.sentences;
  document.record.features = features.hashes.size();
  document.features = &features;
  return document;
}

void fill(Store& store, const SyntheticCollection& collection, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t kBatch = 20'000;
  for (std::uint64_t at = begin; at < end; at += kBatch) {
    const std::uint64_t stop = std::min(at + kBatch, end);
    std::vector<FeatureSequence> sequences;
    for (std::uint64_t i = at; i < stop; ++i) sequences.push_back(collection.document(i));
    std::vector<NewDocument> batch;
    for (std::uint64_t i = at; i < stop; ++i)
      batch.push_back(as_document(sequences[i - at], SyntheticCollection::id(i)));
    need(store.put_all(batch));
  }
}

/// Seconds of each of `count` searches, sorted.
std::vector<double> search_seconds(const Store& store, const SyntheticCollection& collection,
                                   std::uint64_t documents, std::size_t count) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) {
    const FeatureSequence query = collection.query(i, documents, 300);
    SearchRequest request;
    request.query = &query;
    request.bound = 30;
    const Stopwatch watch;
    const auto snapshot = need(store.snapshot());
    const SearchResult result = need(snapshot->search(request));
    seconds.push_back(watch.seconds());
    if (result.total == 0) throw std::runtime_error("a query with stored passages found nothing");
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

void measure_queries(Session& session) {
  const SyntheticCollection collection(kSeed);
  const experiments::ScratchFolder folder;
  const auto store = make_store(folder.path() / "store");
  std::uint64_t filled = 0;
  for (std::uint64_t documents = 10'000; documents <= session.scale; documents *= 10) {
    const Stopwatch load;
    fill(*store, collection, filled, documents);
    const double load_seconds = load.seconds();
    const auto added = static_cast<double>((documents - filled) * SyntheticCollection::kFeatures);
    filled = documents;
    const auto stats = need(need(store->snapshot())->stats());
    const std::string at = " at " + std::to_string(documents) + " documents";
    session.add(
        {"load" + at, added / load_seconds / 1e6, "M features/s", {}, Better::higher, "with its generator"});
    session.add({"disk" + at, static_cast<double>(stats.disk_bytes) / static_cast<double>(stats.features),
                 "bytes/feature", 16.0, Better::lower, "all but texts"});
    search_seconds(*store, collection, documents, 200);
    const std::vector<double> seconds = search_seconds(*store, collection, documents, 1000);
    session.add({"query p50" + at, percentile(seconds, 0.5) * 1e3, "ms", 1.0, Better::lower,
                 "300 features, bound 30, warm, one core"});
    session.add({"query p99" + at, percentile(seconds, 0.99) * 1e3, "ms", 10.0, Better::lower, ""});
  }
}

/// Durable puts by `clients` threads for about two seconds: puts a second, and the sorted seconds of each.
std::pair<double, std::vector<double>> put_rate(unsigned clients) {
  const SyntheticCollection collection(kSeed);
  const experiments::ScratchFolder folder;
  const auto store = make_store(folder.path() / "store");
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::vector<std::vector<double>> seconds(clients);
  std::vector<std::jthread> threads;
  const Stopwatch watch;
  for (unsigned client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      while (watch.seconds() < 2.0 && !failed) {
        const std::uint64_t number = next++;
        const FeatureSequence features = collection.document(number);
        const Stopwatch one;
        if (store->put(as_document(features, SyntheticCollection::id(number))).has_error()) failed = true;
        seconds[client].push_back(one.seconds());
      }
    });
  }
  threads.clear();
  const double elapsed = watch.seconds();
  if (failed) throw std::runtime_error("a put failed");
  std::vector<double> all;
  for (const auto& some : seconds) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  return {static_cast<double>(all.size()) / elapsed, std::move(all)};
}

void measure_puts(Session& session) {
  const auto alone = put_rate(1);
  const auto many = put_rate(64);
  char yardstick[64];
  std::snprintf(yardstick, sizeof yardstick, "one client: %.0f/s", alone.first);
  session.add({"durable puts, 64 clients", many.first, "1/s", 2000.0, Better::higher, yardstick});
  session.add({"group commit over single commits", many.first / alone.first, "ratio", 5.0, Better::higher,
               yardstick});
  session.add(
      {"durable put p99, 64 clients", percentile(many.second, 0.99) * 1e3, "ms", {}, Better::lower, ""});
}

}  // namespace

std::vector<Measurement> store_measurements() {
  return {{"query", "searches in synthetic collections of 10^4, 10^5 … documents (--scale)", measure_queries},
          {"put", "single durable puts by 64 clients", measure_puts}};
}

}  // namespace akin::bench
