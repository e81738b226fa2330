// Parts of morph/: shingles beside the scan that they come from, and signatures.
#include <benchmark/benchmark.h>

#include <random>

#include "morph/schemes/scheme.h"
#include "morph/signatures/min_hash.h"
#include "tests/bench/bench.h"
#include "tests/bench/parts_data.h"

namespace akin::bench {
namespace {

const Dictionary& stems_only() {
  static const std::shared_ptr<const Dictionary> opened = need(Dictionary::open({}));
  return *opened;
}

/// The whole way from bytes to features; the scan alone is ScanWithoutDictionary.
void Features(benchmark::State& state, const char* spec) {
  const std::string text = made_prose(kCyrillic, 1U << 20U);
  const auto scheme = need(make_scheme(spec));
  for (auto _ : state)
    benchmark::DoNotOptimize(need(extract_features(text, stems_only(), *scheme)).hashes.data());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK_CAPTURE(Features, sentence_pairs, "sentence-pairs");
BENCHMARK_CAPTURE(Features, shingles_5, "shingles");
BENCHMARK_CAPTURE(Features, shingles_64, "shingles(w=64)");
BENCHMARK_CAPTURE(Features, shingles_sorted, "shingles(order=sorted)");
BENCHMARK_CAPTURE(Features, shingles_letters, "shingles(unit=letter,w=20)");
BENCHMARK_CAPTURE(Features, shingles_stop, "shingles(stop=removed)");
BENCHMARK_CAPTURE(Features, shingles_set, "shingles(count=set)");
BENCHMARK_CAPTURE(Features, shingles_mod_25, "shingles(sample=mod:25)");
BENCHMARK_CAPTURE(Features, shingles_min_160, "shingles(sample=min:160)");
BENCHMARK_CAPTURE(Features, supershingles_bins, "supershingles(minima=bins)");
BENCHMARK_CAPTURE(Features, supershingles_functions, "supershingles(minima=functions)");

/// 84 minima of so many features.
void MinHash(benchmark::State& state, Minima minima) {
  std::mt19937_64 random(84);
  std::vector<Feature> features(static_cast<std::size_t>(state.range(0)));
  for (Feature& feature : features) feature = Feature{random()};
  for (auto _ : state) benchmark::DoNotOptimize(min_hash(features, 84, minima).data());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(MinHash, functions, Minima::functions)->Arg(10)->Arg(1'000)->Arg(100'000);
BENCHMARK_CAPTURE(MinHash, bins, Minima::bins)->Arg(10)->Arg(1'000)->Arg(100'000);

}  // namespace
}  // namespace akin::bench
