// Parts of index/ that compare documents: X of two sequences, and the passages that carry it.
#include <benchmark/benchmark.h>

#include "index/overlap/overlap.h"
#include "index/overlap/passages.h"
#include "tests/bench/synthetic.h"

namespace akin::bench {
namespace {

constexpr std::uint64_t kDocuments = 1000;

/// A query of so many features and a document of which it holds a passage or not, as it comes.
void OverlapOfTwo(benchmark::State& state) {
  const SyntheticCollection collection(2009);
  const FeatureSequence query = collection.query(1, kDocuments, static_cast<std::size_t>(state.range(0)));
  const FeatureSequence document = collection.document(1);
  for (auto _ : state) benchmark::DoNotOptimize(overlap(query.hashes, document.hashes).x);
}
BENCHMARK(OverlapOfTwo)->Arg(300)->Arg(3000);

void PassagesOfTwo(benchmark::State& state) {
  const FeatureSequence document = SyntheticCollection(2009).document(1);
  for (auto _ : state) benchmark::DoNotOptimize(shared_passages(document, document).data());
}
BENCHMARK(PassagesOfTwo);

}  // namespace
}  // namespace akin::bench
