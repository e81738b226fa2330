// Percolation: documents shown to 10,000 stored watches of 50 features.
#include <benchmark/benchmark.h>

#include <vector>

#include "server/watch/percolator.h"
#include "tests/bench/synthetic.h"

namespace akin::bench {
namespace {

constexpr std::uint64_t kWatchedDocuments = 20'000;
constexpr std::uint64_t kWatches = 10'000;
constexpr std::size_t kFeatures = 50;

std::vector<watch::StandingQuery> standing_queries(const SyntheticCollection& collection) {
  std::vector<watch::StandingQuery> queries;
  for (std::uint64_t number = 0; number < kWatches; ++number) {
    queries.push_back(
        {std::make_shared<const FeatureSequence>(collection.query(number, kWatchedDocuments, kFeatures)), 3,
         0.0});
  }
  return queries;
}

void PercolateDocument(benchmark::State& state) {
  const SyntheticCollection collection(2009);
  watch::Percolator percolator(standing_queries(collection));
  std::vector<FeatureSequence> documents;
  for (std::uint64_t number = 0; number < 1000; ++number) documents.push_back(collection.document(number));
  std::size_t at = 0, features = 0, matches = 0;
  for (auto _ : state) {
    const FeatureSequence& document = documents[at++ % documents.size()];
    matches += percolator.match(document).size();
    features += document.hashes.size();
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["features"] = double(features) / double(state.iterations());
  state.counters["matches"] = double(matches) / double(state.iterations());
}
BENCHMARK(PercolateDocument);

void BuildPercolator(benchmark::State& state) {
  const auto queries = standing_queries(SyntheticCollection(2009));
  for (auto _ : state) benchmark::DoNotOptimize(watch::Percolator(queries));
}
BENCHMARK(BuildPercolator)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace akin::bench
