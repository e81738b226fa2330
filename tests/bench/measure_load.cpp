// Bulk load of growing collections of text.
#include <algorithm>

#include "tests/bench/bench.h"
#include "tests/bench/experiment_index.h"
#include "tests/bench/made_documents.h"

namespace akin::bench {

namespace {

double value_of(const Session& session, const std::string& row) {
  const auto found =
      std::find_if(session.rows.begin(), session.rows.end(), [&](const Row& one) { return one.name == row; });
  if (found == session.rows.end()) throw std::runtime_error("there is no row '" + row + "'");
  return found->value;
}

void measure_load(Session& session) {
  const SentencePool pool = corpora_pool(session);
  const TextGenerator generator(pool, MadeDocuments::kSeed);
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = 100'000'000; size < session.sizes.load; size *= 10) sizes.push_back(size);
  sizes.push_back(session.sizes.load);
  const auto name = [](std::uint64_t size) {
    return format("%g GB of text", static_cast<double>(size) / 1e9);
  };
  for (const std::uint64_t size : sizes) {
    isolated(session,
             [&](Session& inner) { report_load(inner, name(size), MadeDocuments(generator, size)); });
    isolated(session, [&](Session& inner) { report_disk(inner, name(size)); });
    if (size == sizes.front()) continue;
    const double ratio =
        value_of(session, name(size) + kBulkLoad) / value_of(session, name(sizes.front()) + kBulkLoad);
    session.add({name(size) + ": rate over that of " + name(sizes.front()), ratio, "ratio", 0.8,
                 Better::higher, "1 is linear in bytes"});
  }
}

}  // namespace

std::vector<Measurement> load_measurements() {
  return {{"load", "bulk load of 0.1, 1 … GB of text into a collection (--bytes)", measure_load}};
}

}  // namespace akin::bench
