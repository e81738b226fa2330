// All pairs of a synthetic collection.
#include "tests/bench/all_pairs.h"
#include "tests/bench/bench.h"
#include "tests/bench/process.h"
#include "tests/bench/synthetic_store.h"

namespace akin::bench {

namespace {

struct PairsFound {
  std::uint64_t pairs = 0, x = 0;
  double seconds = 0;
};

PairsFound count_pairs(const Store& store, const PairsWanted& wanted, decltype(all_pairs)& find) {
  PairsFound found;
  const Stopwatch watch;
  const auto snapshot = need(store.snapshot());
  find(*snapshot, wanted, [&](const SimilarPair& pair) {
    found.pairs += 1;
    found.x += pair.overlap.x;
  });
  found.seconds = watch.seconds();
  return found;
}

void report_pairs(Session& session, std::uint64_t documents) {
  const auto store = open_store(session.scratch / "store");
  const std::string at = " at " + std::to_string(documents) + " documents";
  PairsWanted wanted;
  wanted.memory = session.sizes.memory;
  Memory peak;
  PairsFound found;
  {
    const MemoryWatch memory;
    found = count_pairs(*store, wanted, all_pairs);
    peak = memory.peak();
  }
  constexpr std::uint64_t kMostToSearch = 100'000;
  std::string yardstick;
  if (documents <= kMostToSearch) {
    const PairsFound searched = count_pairs(*store, wanted, pairs_by_searches);
    if (searched.pairs != found.pairs || searched.x != found.x)
      throw std::runtime_error("all pairs and the searches differ");
    yardstick = format("a search for each document: %.3g s, the same pairs", searched.seconds);
  }
  session.add({"all pairs" + at, found.seconds, "s", {}, Better::lower, yardstick});
  session.add({"pairs found" + at,
               static_cast<double>(found.pairs),
               "pairs",
               {},
               Better::higher,
               "X > 3, and half of one of the two in the other"});
  session.add({"all pairs, peak memory" + at, static_cast<double>(peak.anonymous) / 1e6, "MB",
               static_cast<double>(wanted.memory) / 1e6, Better::lower,
               format("anonymous; with mapped pages of the index %.0f MB",
                      static_cast<double>(peak.resident) / 1e6)});
}

void measure_pairs(Session& session) {
  std::uint64_t filled = 0;
  for (std::uint64_t documents = 10'000; documents <= session.sizes.documents; documents *= 10) {
    isolated(session, [&](Session& inner) {
      const auto folder = inner.scratch / "store";
      const auto store = filled == 0 ? make_store(folder) : open_store(folder);
      fill(*store, SyntheticCollection(kSeed), filled, documents);
    });
    filled = documents;
    isolated(session, [&](Session& inner) { report_pairs(inner, documents); });
  }
}

}  // namespace

std::vector<Measurement> pairs_measurements() {
  return {{"pairs", "all pairs of synthetic collections beside a search for each document (--scale)",
           measure_pairs}};
}

}  // namespace akin::bench
