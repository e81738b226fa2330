// The large experiment of Veretennikov 2009, 400,000 documents of 86 GB at full size, with documents made of
// sentences of the corpora.
#include <map>

#include "tests/bench/bench.h"
#include "tests/bench/experiment_index.h"
#include "tests/bench/made_documents.h"
#include "tests/bench/process.h"

namespace akin::bench {

namespace {

void report_generator(Session& session, const SentencePool& pool, const TextGenerator& generator) {
  stay_on_one_core();
  std::string text;
  std::uint64_t bytes = 0, number = 0;
  const Stopwatch watch;
  while (watch.seconds() < 1.0) {
    generator.make(number++, text);
    bytes += text.size();
  }
  session.add({"making documents of sentences, one core", static_cast<double>(bytes) / 1e6 / watch.seconds(),
               "MB/s", 500.0, Better::higher,
               format("from a pool of %zu sentences, %.0f MB", pool.size(),
                      static_cast<double>(pool.bytes()) / 1e6)});
}

/// Pairs of documents that the generator made similar, among the first `documents`.
std::uint64_t related_pairs(const TextGenerator& generator, std::uint64_t documents) {
  std::map<std::uint64_t, std::uint64_t> copies;
  std::uint64_t pairs = 0;
  for (std::uint64_t number = 0; number < documents; ++number)
    if (const auto source = generator.source(number)) pairs += ++copies[*source];
  return pairs;
}

void report_sentence_pairs(Session& session, const TextGenerator& generator) {
  const auto original = [&](std::string_view id) {
    const std::uint64_t number = TextGenerator::number_of(id);
    return generator.source(number).value_or(number);
  };
  std::uint64_t related = 0, others = 0;
  const auto snapshot = report_pairs(session, "sentences", {}, [&](const SimilarPair& pair) {
    (original(pair.a) == original(pair.b) ? related : others) += 1;
  });
  const std::uint64_t expected = related_pairs(generator, need(snapshot->stats()).documents);
  session.add({"sentences: near-duplicates missed", static_cast<double>(expected - related), "pairs", 0.0,
               Better::lower, format("of %llu that were made", static_cast<unsigned long long>(expected))});
  session.add({"sentences: other pairs found", static_cast<double>(others), "pairs", 0.0, Better::lower, ""});
}

void measure_sentences(Session& session) {
  const SentencePool pool = corpora_pool(session);
  const TextGenerator generator(pool, MadeDocuments::kSeed);
  isolated(session, [&](Session& inner) { report_generator(inner, pool, generator); });
  isolated(session, [&](Session& inner) {
    report_load(inner, "sentences", MadeDocuments(generator, inner.sizes.sentences));
  });
  isolated(session, [&](Session& inner) { report_disk(inner, "sentences"); });
  isolated(session, [&](Session& inner) { report_sentence_pairs(inner, generator); });
}

}  // namespace

std::vector<Measurement> sentence_measurements() {
  return {
      {"sentences", "2009: 400,000 documents made of sentences, all pairs (--bytes 86G)", measure_sentences}};
}

}  // namespace akin::bench
