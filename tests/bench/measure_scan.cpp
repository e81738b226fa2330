// From bytes to features on one core, beside a plain pass over the same bytes, beside the same pipeline that
// hashes spellings instead of looking classes up, and beside Hunspell's stem() for each word.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <hunspell/hunspell.hxx>
#include <optional>
#include <span>

#include "base/hash.h"
#include "dict/dictionary.h"
#include "morph/normalize/arrangement.h"
#include "morph/schemes/scheme.h"
#include "morph/words/sentence_makers.h"
#include "morph/words/sentence_walk.h"
#include "morph/words/text_check.h"
#include "tests/bench/bench.h"
#include "tests/bench/plain_pass.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

namespace {

/// Russian prose of the corpora, novels one after another, about `bytes` long.
std::string prose(const Session& session, std::size_t bytes) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  std::string text;
  for (const auto& work : experiments::read_works(session.corpora, "ru-novels/ruslit")) {
    if (text.size() >= bytes) break;
    text += work.text;
    text += "\n\n";
  }
  return text;
}

/// In the dictionary's place: a word's hash is that of its folded spelling.
struct SpellingClasses {
  [[nodiscard]] static std::uint64_t hash(const FoldedWord& word) {
    return mix64(word.key ^ 0xa54ff53a5f1d36f1U);  // word_hash of its letters
  }
  static void hash_all(std::u32string_view /*letters*/, std::span<const QuickWord> words,
                       std::span<std::uint64_t> hashes) {
    std::transform(words.begin(), words.end(), hashes.begin(),
                   [](const QuickWord& word) { return mix64(word.key); });
  }
};

/// extract_features of sentence pairs, with `classes` for the dictionary's.
template <class Classes>
std::size_t count_features(std::string_view text, const Dictionary& dictionary, const Classes& classes,
                           const Scheme& scheme) {
  need(check_text(text));
  const std::optional<Arrangement> arrangement = Arrangement::of(text);
  FeatureSequence out;
  const auto stream = scheme.stream(dictionary, out);
  ScanSummary summary;
  SumMaker maker(dictionary, classes, *stream, summary);
  SentenceWalk(arrangement ? arrangement->text() : text, maker).run();
  stream->finish();
  return out.hashes.size();
}

/// Calls stem() for each word on its way through a scheme.
class StemmingStream : public SentenceSink {
 public:
  StemmingStream(FeatureStream& next, Hunspell& hunspell) : next_(next), hunspell_(hunspell) {}
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) stems_ += hunspell_.stem(std::string(word.source)).size();
    next_.on_sentence(sentence);
  }
  [[nodiscard]] std::size_t stems() const noexcept { return stems_; }

 private:
  FeatureStream& next_;
  Hunspell& hunspell_;
  std::size_t stems_ = 0;
};

void measure_scan(Session& session) {
  DictionaryConfig config;
  config.languages = {"ru", "en"};
  const auto dictionary = need(Dictionary::open(config));
  const auto scheme = need(make_scheme(kComparisonScheme));
  const std::string text = prose(session, 40'000'000);
  const double megabytes = static_cast<double>(text.size()) / 1e6;

  // In turns, so that a busy machine is as busy for each; the least of each counts.
  constexpr int kRounds = 7;
  double scan = 1e9, look_up = 1e9, spelling = 1e9, pass = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    std::size_t found = 0;
    scan = std::min(scan, median_seconds(1, [&] {
                      found = need(extract_features(text, *dictionary, *scheme)).hashes.size();
                    }));
    look_up = std::min(look_up, median_seconds(1, [&] {
                         if (count_features(text, *dictionary, *dictionary, *scheme) != found)
                           throw std::runtime_error("the pipeline is not that of extract_features");
                       }));
    spelling = std::min(spelling, median_seconds(1, [&] {
                          if (count_features(text, *dictionary, SpellingClasses{}, *scheme) != found)
                            throw std::runtime_error("another number of features without look-ups");
                        }));
    pass = std::min(pass, median_seconds(1, [&] {
                      if (count_letters(text) == 0) throw std::runtime_error("the prose has no letters");
                    }));
  }
  char yardstick[96];
  session.add(
      {"text to features, Russian prose, one core", megabytes / scan, "MB/s", 300, Better::higher, ""});
  std::snprintf(yardstick, sizeof yardstick, "decode UTF-8 and count letters: %.0f MB/s", megabytes / pass);
  session.add({"text to features over a plain pass", pass / scan, "ratio", 0.25, Better::higher, yardstick});

  std::snprintf(yardstick, sizeof yardstick, "folded words hashed instead: %.0f MB/s", megabytes / spelling);
  session.add({"text to features over hashing spellings", look_up / spelling, "ratio", 1.10, Better::lower,
               yardstick});

  // Hunspell on a part of the text: it takes long.
  std::size_t cut = std::min<std::size_t>(text.size(), 1'000'000);
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) ++cut;
  const std::string part = text.substr(0, cut);
  const auto& source = dictionary->stats().sources.at(0);
  const auto& other = dictionary->stats().sources.at(1);
  const auto& russian = source.language == "ru" ? source : other;
  Hunspell hunspell(russian.aff.c_str(), russian.dic.c_str());
  const double fast = median_seconds(5, [&] { (void)need(extract_features(part, *dictionary, *scheme)); });
  const double slow = median_seconds(1, [&] {
    FeatureSequence out;
    const auto stream = scheme->stream(*dictionary, out);
    StemmingStream stemming(*stream, hunspell);
    (void)need(scan_text(part, *dictionary, stemming));
    stream->finish();
    if (stemming.stems() == 0) throw std::runtime_error("Hunspell found no stem");
  });
  std::snprintf(yardstick, sizeof yardstick, "with Hunspell stem() for each word: %.2f MB/s",
                static_cast<double>(part.size()) / 1e6 / slow);
  session.add({"text to features over Hunspell", slow / fast, "ratio", 25, Better::higher, yardstick});
}

void measure_dictionary(Session& session) {
  const experiments::ScratchFolder cache;
  DictionaryConfig config;
  config.languages = {"ru", "en", "de", "uk"};
  config.cache = cache.path();
  const Stopwatch compile;
  auto dictionary = need(Dictionary::open(config));
  session.add({"compiling ru+en+de+uk", compile.seconds(), "s", 5, Better::lower, "nothing cached"});
  dictionary.reset();
  const double open = median_seconds(21, [&] { dictionary = need(Dictionary::open(config)); });
  char yardstick[64];
  std::snprintf(yardstick, sizeof yardstick, "%.0f MB mapped",
                static_cast<double>(dictionary->stats().table_bytes) / 1e6);
  session.add({"opening ru+en+de+uk", open * 1e3, "ms", 10, Better::lower, yardstick});
}

}  // namespace

std::vector<Measurement> scan_measurements() {
  return {{"scan", "text to features beside a plain pass and beside Hunspell", measure_scan}};
}

std::vector<Measurement> dictionary_measurements() {
  return {{"dictionary", "compiling and opening ru+en+de+uk", measure_dictionary}};
}

}  // namespace akin::bench
