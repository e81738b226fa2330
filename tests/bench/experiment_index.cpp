#include "tests/bench/experiment_index.h"

#include "index/lmdb/store/store.h"
#include "tests/bench/disk_usage.h"
#include "tests/bench/process.h"

namespace akin::bench {

namespace {

std::filesystem::path data_folder(const Session& session) { return session.scratch / "data"; }

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

}  // namespace

std::vector<std::string> novel_folders() {
  return {"ru-novels",
          "en-novels",
          "other-lang/eltec-cze",
          "other-lang/eltec-deu",
          "other-lang/eltec-hun",
          "other-lang/eltec-pol",
          "other-lang/eltec-ukr"};
}

void report_load(Session& session, const std::string& name, const NextDocument& source) {
  std::filesystem::remove_all(data_folder(session));
  const std::uint64_t before = memory_now().anonymous;
  BenchCollection collection(data_folder(session), session.store_texts);
  const MemoryWatch memory;
  const LoadFigures figures = load(*collection, source, session.sizes.memory);
  session.add({name + ": size",
               static_cast<double>(figures.bytes) / 1e9,
               "GB",
               {},
               Better::higher,
               format("%llu documents%s", static_cast<unsigned long long>(figures.documents),
                      session.store_texts ? "" : ", texts not stored")});
  session.add(
      {name + kBulkLoad, figures.megabytes_per_second(), "MB/s", 150.0, Better::higher,
       format("text to durable postings; %.1f s, of which making the documents %.1f s; processor time %.1f s",
              figures.seconds, figures.source_seconds, figures.processor_seconds)});
  session.add({name + kBulkLoad + ", peak memory", megabytes(memory.peak().anonymous - before), "MB",
               megabytes(session.sizes.memory), Better::lower,
               format("anonymous, beside %.0f MB of source texts", megabytes(before))});
}

void report_disk(Session& session, const std::string& name) {
  const auto folder = store_folder(data_folder(session));
  const DiskUsage usage = disk_usage(folder);
  StoreStats stats;
  {
    const auto store = need(LmdbStore::open(folder));
    stats = need(need(store->snapshot())->stats());
  }
  const std::uint64_t texts = usage.texts();
  const auto features = static_cast<double>(stats.features);
  session.add({name + ": disk of a feature", static_cast<double>(usage.total - texts) / features, "bytes",
               16.0, Better::lower,
               format("all but texts; %.3g features, %.3g GB", features,
                      static_cast<double>(usage.total - texts) / 1e9)});
  session.add({name + ": disk of a posting",
               static_cast<double>(usage.postings()) / static_cast<double>(stats.postings), "bytes", 8.0,
               Better::lower, format("%.3g postings", static_cast<double>(stats.postings))});
  if (texts > 0 && stats.text_bytes > 0)
    session.add({name + ": texts stored over originals",
                 static_cast<double>(texts) / static_cast<double>(stats.text_bytes),
                 "ratio",
                 {},
                 Better::lower,
                 format("%.3g GB on the disk", static_cast<double>(texts) / 1e9)});
}

std::unique_ptr<Snapshot> report_pairs(Session& session, const std::string& name, std::optional<double> goal,
                                       const std::function<void(const SimilarPair&)>& visit) {
  const std::uint64_t before = memory_now().anonymous;
  auto snapshot = snapshot_of(data_folder(session));
  PairsWanted wanted;
  wanted.memory = session.sizes.memory;
  std::uint64_t pairs = 0;
  const MemoryWatch memory;
  const double processor_before = process_seconds();
  const Stopwatch watch;
  all_pairs(*snapshot, wanted, [&](const SimilarPair& pair) {
    pairs += 1;
    visit(pair);
  });
  const double seconds = watch.seconds();
  const double processor_seconds = process_seconds() - processor_before;
  const Memory peak = memory.peak();
  session.add({name + ": all pairs", seconds, "s", goal, Better::lower,
               format("%llu pairs; X > %llu and containment %.1f of one in the other; processor time %.1f s",
                      static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(wanted.bound),
                      wanted.min_containment, processor_seconds)});
  session.add(
      {name + ": all pairs, peak memory", megabytes(peak.anonymous - before), "MB", megabytes(wanted.memory),
       Better::lower,
       format("anonymous; with mapped pages of the index %.0f MB", megabytes(peak.resident - before))});
  return snapshot;
}

}  // namespace akin::bench
