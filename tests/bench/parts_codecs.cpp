// Parts of index/ that turn documents into bytes and back.
#include <benchmark/benchmark.h>

#include "base/text_codec.h"
#include "index/codec/encoding.h"
#include "index/codec/sequence_codec.h"
#include "tests/bench/bench.h"
#include "tests/bench/parts_data.h"
#include "tests/bench/synthetic.h"

namespace akin::bench {
namespace {

void EncodeSequence(benchmark::State& state) {
  const FeatureSequence sequence = SyntheticCollection(2009).document(1);
  for (auto _ : state) benchmark::DoNotOptimize(encode_sequence(sequence).data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sequence.hashes.size()));
}
BENCHMARK(EncodeSequence);

void DecodeSequence(benchmark::State& state) {
  const std::string bytes = encode_sequence(SyntheticCollection(2009).document(1));
  for (auto _ : state) benchmark::DoNotOptimize(decode_sequence(bytes)->sequence.hashes.data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(SyntheticCollection::kFeatures));
}
BENCHMARK(DecodeSequence);

void CompressText(benchmark::State& state) {
  const std::string text = made_prose(kCyrillic, 200'000);
  for (auto _ : state) benchmark::DoNotOptimize(need(compress_text(text)).data());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(CompressText);

void DecompressText(benchmark::State& state) {
  const std::string text = made_prose(kCyrillic, 200'000);
  const std::string frame = need(compress_text(text));
  for (auto _ : state) benchmark::DoNotOptimize(decompress_text(frame, text.size())->data());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(DecompressText);

void Checksum(benchmark::State& state) {
  const std::string bytes = made_prose(kLatin, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(checksum(bytes));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
BENCHMARK(Checksum)->Arg(1 << 10)->Arg(1 << 20);

}  // namespace
}  // namespace akin::bench
