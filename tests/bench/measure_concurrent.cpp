// Searches while a bulk load runs, beside the same searches in an idle store.
#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/bench/bench.h"
#include "tests/bench/synthetic_store.h"

namespace akin::bench {

namespace {

constexpr std::size_t kConcurrentQueries = 2000;

/// Sorted seconds of up to kConcurrentQueries searches, made as long as `go_on` says so.
std::vector<double> search_while(const Store& store, std::uint64_t documents,
                                 const std::function<bool()>& go_on) {
  const SyntheticCollection collection(kSeed);
  const QueryKind kind = query_kinds().front();
  std::vector<double> seconds;
  for (std::size_t i = 0; i < kConcurrentQueries && go_on(); ++i)
    seconds.push_back(
        search_once(store, collection.query(i, documents, SyntheticCollection::kQueryFeatures), kind));
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

/// Loads documents into a store on a thread of its own until it is asked to stop, or a quarter of the former
/// number has been added.
class Loader {
 public:
  Loader(Store& store, std::uint64_t documents)
      : thread_([this, &store, documents] { run(store, documents); }) {}
  ~Loader() { stop_ = true; }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  [[nodiscard]] bool running() const noexcept { return running_; }
  /// Documents a second. Throws what ended the load. Call once.
  double finish() {
    stop_ = true;
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return static_cast<double>(added_) / seconds_;
  }

 private:
  void run(Store& store, std::uint64_t documents) {
    const SyntheticCollection collection(kSeed);
    const std::uint64_t step = std::max<std::uint64_t>(documents / 40, 1);
    try {
      for (; added_ < documents / 4 && !stop_; added_ += step)
        seconds_ += fill(store, collection, documents + added_, documents + added_ + step);
    } catch (...) {
      failure_ = std::current_exception();
    }
    running_ = false;
  }

  std::atomic<bool> stop_{false}, running_{true};
  std::uint64_t added_ = 0;
  double seconds_ = 0;
  std::exception_ptr failure_;
  std::jthread thread_;
};

void measure_concurrent(Session& session) {
  const std::uint64_t documents = session.sizes.documents;
  const auto always = [] { return true; };
  const auto store = make_store(session.scratch / "store");
  fill(*store, SyntheticCollection(kSeed), 0, documents);
  (void)search_while(*store, documents, always);
  const double before = percentile(search_while(*store, documents, always), 0.99);

  Loader loader(*store, documents);
  const std::vector<double> busy = search_while(*store, documents, [&] { return loader.running(); });
  const double rate = loader.finish();
  if (busy.size() < 100) throw std::runtime_error("the load was over before a hundred searches were made");
  const double after = percentile(search_while(*store, documents, always), 0.99);

  const double idle = (before + after) / 2;
  const double loaded = percentile(busy, 0.99);
  const std::string at = " at " + std::to_string(documents) + " documents";
  session.add({"search p99 during a load" + at,
               loaded * 1e3,
               "ms",
               {},
               Better::lower,
               format("%zu searches, bound 3, while %.0f documents/s are loaded", busy.size(), rate)});
  session.add({"search p99 during a load over idle" + at, loaded / idle, "ratio", 3.0, Better::lower,
               format("idle p99 %.3g ms before the load, %.3g ms after it", before * 1e3, after * 1e3)});
}

}  // namespace

std::vector<Measurement> concurrent_measurements() {
  return {
      {"concurrent", "searches while a bulk load runs beside an idle store (--scale)", measure_concurrent}};
}

}  // namespace akin::bench
