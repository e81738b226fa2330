#include "tests/bench/made_documents.h"

#include "tests/bench/experiment_index.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

SentencePool corpora_pool(const Session& session) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  const auto dictionary = bench_dictionary();
  SentencePool pool;
  constexpr const char* kProse = "ru-novels";
  if (!std::filesystem::is_directory(std::filesystem::path(session.corpora) / kProse))
    throw Skipped("no Russian novels");
  for (const auto& work : experiments::read_works(session.corpora, kProse)) pool.add(work.text, *dictionary);
  if (pool.size() == 0) throw Skipped("the corpora hold no Russian novels");
  return pool;
}

}  // namespace akin::bench
