// Parts of dict/: look-ups of words, in the dictionary and not. Words come in the order of a shuffled list,
// so that the table's memory is not warm from the last round.
#include <benchmark/benchmark.h>

#include <deque>
#include <random>

#include "dict/dictionary.h"
#include "tests/bench/bench.h"

namespace akin::bench {
namespace {

const Dictionary& dictionary() {
  static const std::shared_ptr<const Dictionary> opened = [] {
    DictionaryConfig config;
    config.languages = {"ru", "en"};
    return need(Dictionary::open(config));
  }();
  return *opened;
}

constexpr std::size_t kWords = std::size_t{1} << 16U;

/// Folded words with the spellings that they view.
struct Words {
  std::deque<std::u32string> spellings;
  std::vector<FoldedWord> folded;
};

/// Lemmas of the dictionary, or the same with appended letters that make them unknown.
Words make_words(std::size_t count, bool known) {
  const std::uint64_t lemmas = dictionary().stats().lemmas;
  std::mt19937_64 random(2009);
  WordFolder folder;
  Words words;
  while (words.folded.size() < count) {
    std::string spelling(dictionary().lemma(static_cast<std::uint32_t>(1 + random() % lemmas)));
    if (!known) spelling += "ъъ";
    FoldedWord word = folder.fold(spelling);
    word.letters = words.spellings.emplace_back(word.letters);
    words.folded.push_back(word);
  }
  return words;
}

void ClassifyOne(benchmark::State& state) {
  const Words words = make_words(kWords, state.range(0) != 0);
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(dictionary().classify(words.folded[next++ % kWords]));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ClassifyOne)->ArgName("known")->Arg(1)->Arg(0);

void ClassifyAll(benchmark::State& state) {
  const Words words = make_words(kWords, state.range(0) != 0);
  std::vector<WordClass> classes(kWords);
  for (auto _ : state) {
    dictionary().classify_all(words.folded, classes);
    benchmark::DoNotOptimize(classes.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kWords));
}
BENCHMARK(ClassifyAll)->ArgName("known")->Arg(1)->Arg(0);

}  // namespace
}  // namespace akin::bench
