// Single durable puts.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "tests/bench/bench.h"
#include "tests/bench/synthetic_store.h"

namespace akin::bench {

namespace {

constexpr double kSeconds = 3.0;

struct PutFigures {
  double per_second = 0;
  std::vector<double> seconds;  ///< of each put, sorted
};

/// Puts by `clients` threads, each waiting for its own, for about kSeconds.
PutFigures put_for_a_while(const std::filesystem::path& folder, unsigned clients) {
  const SyntheticCollection collection(kSeed);
  const auto store = make_store(folder);
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::vector<std::vector<double>> seconds(clients);
  std::vector<std::jthread> threads;
  const Stopwatch watch;
  for (unsigned client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      while (watch.seconds() < kSeconds && !failed) {
        const std::uint64_t number = next++;
        const FeatureSequence features = collection.document(number);
        const Stopwatch one;
        if (store->put(as_document(features, SyntheticCollection::id(number))).has_error()) failed = true;
        seconds[client].push_back(one.seconds());
      }
    });
  }
  threads.clear();
  const double elapsed = watch.seconds();
  if (failed) throw std::runtime_error("a put failed");
  PutFigures figures;
  for (const auto& some : seconds) figures.seconds.insert(figures.seconds.end(), some.begin(), some.end());
  std::sort(figures.seconds.begin(), figures.seconds.end());
  figures.per_second = static_cast<double>(figures.seconds.size()) / elapsed;
  return figures;
}

/// Writes of 4 kB, each brought to the disk, a second: what the disk itself can do one after another.
double plain_syncs(const std::filesystem::path& file) {
  const int handle = open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (handle < 0) throw std::runtime_error("cannot make " + file.string());
  constexpr std::array<char, 4096> kPage{};
  std::size_t writes = 0;
  const Stopwatch watch;
  for (; watch.seconds() < 1.0; ++writes) {
    const auto at = static_cast<off_t>(writes % 256 * kPage.size());
    if (pwrite(handle, kPage.data(), kPage.size(), at) != static_cast<ssize_t>(kPage.size()) ||
        fdatasync(handle) != 0)
      throw std::runtime_error("cannot write " + file.string());
  }
  close(handle);
  return static_cast<double>(writes) / watch.seconds();
}

void measure_puts(Session& session) {
  const double syncs = plain_syncs(session.scratch / "syncs");
  const PutFigures alone = put_for_a_while(session.scratch / "alone", 1);
  const PutFigures many = put_for_a_while(session.scratch / "many", 64);
  session.add({"durable puts, 64 clients", many.per_second, "1/s", 2000.0, Better::higher,
               format("150 features each; 4 kB written and synced: %.0f/s", syncs)});
  session.add({"durable puts, 64 clients over one commit each", many.per_second / alone.per_second, "ratio",
               5.0, Better::higher, format("one client, so one commit each: %.0f/s", alone.per_second)});
  session.add(
      {"durable put p99, 64 clients",
       percentile(many.seconds, 0.99) * 1e3,
       "ms",
       {},
       Better::lower,
       format("p50 %.3g ms; one client: p50 %.3g ms, p99 %.3g ms", percentile(many.seconds, 0.5) * 1e3,
              percentile(alone.seconds, 0.5) * 1e3, percentile(alone.seconds, 0.99) * 1e3)});
}

}  // namespace

std::vector<Measurement> put_measurements() {
  return {{"put", "single durable puts by 64 clients beside one commit each", measure_puts}};
}

}  // namespace akin::bench
