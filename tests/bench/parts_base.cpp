// Parts of base/: mixing, hashing of spellings, UTF-8.
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "base/hash.h"
#include "base/utf8.h"
#include "tests/bench/parts_data.h"

namespace akin::bench {
namespace {

void Mix64(benchmark::State& state) {
  std::uint64_t value = 1;
  for (auto _ : state) benchmark::DoNotOptimize(value = mix64(value));
}
BENCHMARK(Mix64);

void SpellingKey(benchmark::State& state) {
  const std::u32string word(static_cast<std::size_t>(state.range(0)), U'ж');
  for (auto _ : state) benchmark::DoNotOptimize(spelling_key(word));
}
BENCHMARK(SpellingKey)->Arg(4)->Arg(8)->Arg(16);

/// Time of a function over a text; the argument chooses the alphabet.
template <class F>
void over_text(benchmark::State& state, F&& function) {
  const std::string text = made_prose(static_cast<Alphabet>(state.range(0)), 1U << 20U);
  for (auto _ : state) benchmark::DoNotOptimize(function(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void ValidateUtf8(benchmark::State& state) {
  over_text(state, [](const std::string& text) { return validate_utf8(text, "text").has_value(); });
}
BENCHMARK(ValidateUtf8)->Arg(kLatin)->Arg(kCyrillic);

void CountCodePoints(benchmark::State& state) {
  over_text(state, [](const std::string& text) { return count_code_points(text); });
}
BENCHMARK(CountCodePoints)->Arg(kLatin)->Arg(kCyrillic);

void DecodeUtf8(benchmark::State& state) {
  over_text(state, [](const std::string& text) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < text.size();) sum += next_code_point(text, at);
    return sum;
  });
}
BENCHMARK(DecodeUtf8)->Arg(kLatin)->Arg(kCyrillic);

}  // namespace
}  // namespace akin::bench
