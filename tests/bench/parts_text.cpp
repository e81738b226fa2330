// Parts of morph/: folding and scanning.
#include <benchmark/benchmark.h>

#include "dict/fold/fold.h"
#include "morph/schemes/scheme.h"
#include "tests/bench/bench.h"
#include "tests/bench/parts_data.h"

namespace akin::bench {
namespace {

/// Without dictionaries every word is unknown: its Snowball stem is what counts, kept in a cache.
const Dictionary& no_dictionary() {
  static const std::shared_ptr<const Dictionary> opened = need(Dictionary::open({}));
  return *opened;
}

void FoldWord(benchmark::State& state) {
  WordFolder folder;
  const std::string word = state.range(0) == kLatin ? "Reformation" : "Преображение";
  for (auto _ : state) benchmark::DoNotOptimize(folder.fold(word).key);
}
BENCHMARK(FoldWord)->Arg(kLatin)->Arg(kCyrillic);

class NoSink : public SentenceSink {
 public:
  void on_sentence(const Sentence& sentence) override { benchmark::DoNotOptimize(sentence.words.size()); }
};

void ScanWithoutDictionary(benchmark::State& state) {
  const std::string text = made_prose(static_cast<Alphabet>(state.range(0)), 1U << 20U);
  NoSink sink;
  for (auto _ : state) benchmark::DoNotOptimize(scan_text(text, no_dictionary(), sink).has_value());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(ScanWithoutDictionary)->Arg(kLatin)->Arg(kCyrillic);

void ExtractFeaturesWithoutDictionary(benchmark::State& state) {
  const std::string text = made_prose(static_cast<Alphabet>(state.range(0)), 1U << 20U);
  const auto scheme = need(make_scheme(kDefaultScheme));
  for (auto _ : state)
    benchmark::DoNotOptimize(need(extract_features(text, no_dictionary(), *scheme)).hashes.data());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(ExtractFeaturesWithoutDictionary)->Arg(kLatin)->Arg(kCyrillic);

}  // namespace
}  // namespace akin::bench
