#include "tests/bench/made_documents.h"

#include "tests/bench/experiment_index.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

SentencePool corpora_pool(const Session& session) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  const auto dictionary = bench_dictionary();
  SentencePool pool;
  // The languages of the dictionaries: other words would be looked for in vain, as no library's are.
  for (const char* folder : {"ru-novels", "en-novels"}) {
    if (!std::filesystem::is_directory(std::filesystem::path(session.corpora) / folder)) continue;
    for (const auto& work : experiments::read_works(session.corpora, folder))
      pool.add(work.text, *dictionary);
  }
  if (pool.size() == 0) throw Skipped("the corpora hold no novels");
  return pool;
}

}  // namespace akin::bench
