#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/background_failures.h"
#include "base/folders.h"
#include "dict/ask/look_ups.h"
#include "index/search/word_cache.h"
#include "server/metrics/collections.h"
#include "server/metrics/families.h"

namespace akin::metrics {

namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;

/// Unix time of the start of the process, from the clock ticks in /proc/self/stat.
std::optional<double> start_time() {
  std::ifstream stat("/proc/self/stat");
  std::string text;
  std::getline(stat, text);
  // The second field is the program's name in brackets, and may contain anything.
  const auto bracket = text.rfind(')');
  if (bracket == std::string::npos) return std::nullopt;
  constexpr int kFieldsBetween = 20;
  std::size_t at = bracket + 1;
  for (int field = 0; field < kFieldsBetween; ++field) {
    at = text.find(' ', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  std::ifstream uptime("/proc/uptime");
  double up = 0;
  if (!(uptime >> up)) return std::nullopt;
  const double ticks = std::strtod(text.c_str() + at, nullptr);
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return now - up + ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// Appends start time, processor time, memory and open files, as far as /proc provides them.
void append_process(std::vector<prometheus::MetricFamily>& families) {
  const auto add = [&](const char* name, const char* help, double value) {
    families.push_back(gauge_family(name, help));
    families.back().metric.push_back(gauge(value, {}));
  };
  static const std::optional<double> started = start_time();
  if (started) add("process_start_time_seconds", "Unix time at which the process began.", *started);

  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    families.push_back(counter_family("process_cpu_seconds_total", "Processor time used."));
    families.back().metric.push_back(counter(seconds(usage.ru_utime) + seconds(usage.ru_stime), {}));
  }
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0, resident = 0;
  if (statm >> pages >> resident) {
    const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    add("process_virtual_memory_bytes", "Address space, with files that are mapped.",
        static_cast<double>(pages) * page);
    add("process_resident_memory_bytes", "Memory in use, with pages of files that are mapped.",
        static_cast<double>(resident) * page);
  }
  if (const auto files = entry_names("/proc/self/fd"); files.has_value())
    add("process_open_fds", "Open files and sockets.", static_cast<double>(files->size()));
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    add("process_max_fds", "How many there may be.", static_cast<double>(limit.rlim_cur));
}

void append_words(std::vector<prometheus::MetricFamily>& families) {
  const auto add = [&](const char* name, const char* help, std::uint64_t count) {
    families.push_back(counter_family(name, help));
    families.back().metric.push_back(counter(static_cast<double>(count), {}));
  };
  const LookUps all = look_ups();
  add("akin_words_total",
      "Plain words of texts (without hyphens, apostrophes and the like) that were looked up.", all.words);
  add("akin_words_missed_total", "Of those, the ones that the cache of frequent words did not have.",
      all.missed);
  add("akin_words_unknown_total",
      "Of those, the ones that were not used before and that the compiled dictionaries lack.",
      all.not_in_table);
  add("akin_words_resolved_total", "Calls of Hunspell or Snowball for unknown words that no cache had.",
      all.resolved);
  const WordCache::Use texts = WordCache::of_process().use();
  add("akin_word_cache_hits_total", "Stored texts that were aligned with their words as kept.", texts.hits);
  add("akin_word_cache_misses_total", "Stored texts whose words had to be read to align them.", texts.misses);
  families.push_back(
      gauge_family("akin_word_cache_bytes", "Memory of the words that are kept of stored texts."));
  families.back().metric.push_back(gauge(static_cast<double>(texts.bytes), {}));
}

constexpr std::array kMethods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};

/// One of a few words, whatever a client sends.
std::string_view known_method(std::string_view method) {
  const auto* const found = std::ranges::find(kMethods, method);
  return found == kMethods.end() ? std::string_view("other") : std::string_view(*found);
}

void append_failures(std::vector<prometheus::MetricFamily>& families) {
  families.push_back(counter_family("akin_background_failures_total",
                                    "Rounds of background work that failed, and are tried again."));
  for (std::size_t round = 0; round < kRoundNames.size(); ++round) {
    families.back().metric.push_back(
        counter(static_cast<double>(failures_of(Round{static_cast<std::uint8_t>(round)})),
                {{"round", std::string(kRoundNames[round])}}));
  }
}

const Histogram::BucketBoundaries& buckets() {
  static const Histogram::BucketBoundaries seconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                      0.25,   0.5,   1.0,    2.5,   5.0,  10.0,  30.0, 60.0};
  return seconds;
}

}  // namespace

struct Metrics::Impl {
  using Series = std::tuple<std::string, std::string, int>;
  using SeriesView = std::tuple<std::string_view, std::string_view, int>;
  /// Finds series without building their label strings.
  struct Before {
    using is_transparent = void;
    static SeriesView view(const Series& series) {
      return {std::get<0>(series), std::get<1>(series), std::get<2>(series)};
    }
    static const SeriesView& view(const SeriesView& series) { return series; }
    template <class Left, class Right>
    bool operator()(const Left& left, const Right& right) const {
      return view(left) < view(right);
    }
  };

  prometheus::Registry registry;
  Family<Histogram>& durations =
      prometheus::BuildHistogram()
          .Name("akin_http_request_duration_seconds")
          .Help("Time from a request's first byte to the last of its answer, by the pattern of its path.")
          .Register(registry);
  Family<Counter>& rejections = prometheus::BuildCounter()
                                    .Name("akin_http_requests_rejected_total")
                                    .Help("Requests and connections turned away, by reason.")
                                    .Register(registry);
  Family<Counter>& checks = prometheus::BuildCounter()
                                .Name("akin_checks_total")
                                .Help("Submission checks made by this server, by verdict.")
                                .Register(registry);
  Counter& bytes_in = prometheus::BuildCounter()
                          .Name("akin_http_request_body_bytes_total")
                          .Help("Bytes of bodies received, as sent.")
                          .Register(registry)
                          .Add({});
  Counter& bytes_out = prometheus::BuildCounter()
                           .Name("akin_http_response_bytes_total")
                           .Help("Bytes of answers sent, with their heads.")
                           .Register(registry)
                           .Add({});
  std::shared_mutex mutex;  ///< guards `series`
  std::map<Series, Histogram*, Before> series;
  mutable std::mutex catalog_mutex;
  std::weak_ptr<Catalog> catalog;
  prometheus::MetricFamily build;

  Histogram& find_series(const Answered& request) {
    const SeriesView key(request.route.empty() ? std::string_view("none") : request.route,
                         known_method(request.method), request.status);
    {
      const std::shared_lock lock(mutex);
      if (const auto found = series.find(key); found != series.end()) return *found->second;
    }
    const std::unique_lock lock(mutex);
    const auto& [route, method, status] = key;
    Histogram*& made = series[Series(route, method, status)];
    if (made == nullptr) {
      made = &durations.Add({{"route", std::string(route)},
                             {"method", std::string(method)},
                             {"status", std::to_string(status)}},
                            buckets());
    }
    return *made;
  }
};

Metrics::Metrics(const std::string& version) : impl_(std::make_unique<Impl>()) {
  impl_->build = gauge_family("akin_build_info", "1, with the program's version.");
  impl_->build.metric.push_back(gauge(1, {{"version", version}}));
}

Metrics::~Metrics() = default;

void Metrics::answered(const Answered& request) {
  impl_->find_series(request).Observe(request.seconds);
  impl_->bytes_in.Increment(static_cast<double>(request.bytes_in));
  impl_->bytes_out.Increment(static_cast<double>(request.bytes_out));
}

void Metrics::rejected(std::string_view reason) {
  impl_->rejections.Add({{"reason", std::string(reason)}}).Increment();
}

void Metrics::checked(std::string_view verdict) {
  impl_->checks.Add({{"verdict", std::string(verdict)}}).Increment();
}

void Metrics::watch(const std::shared_ptr<Catalog>& catalog) {
  const std::lock_guard lock(impl_->catalog_mutex);
  impl_->catalog = catalog;
}

std::vector<Durations> Metrics::durations() const {
  std::vector<Durations> all;
  const std::shared_lock lock(impl_->mutex);
  for (const auto& [key, histogram] : impl_->series) {
    Durations& one = all.emplace_back(Durations{std::get<0>(key), std::get<1>(key), buckets(), {}});
    std::uint64_t before = 0;
    for (const auto& bucket : histogram->Collect().histogram.bucket) {
      one.answers.push_back(bucket.cumulative_count - before);
      before = bucket.cumulative_count;
    }
  }
  return all;
}

std::string Metrics::text() const {
  std::vector<prometheus::MetricFamily> families = impl_->registry.Collect();
  const auto add = [&](const char* name, const char* help, const std::atomic<std::int64_t>& count) {
    families.push_back(gauge_family(name, help));
    families.back().metric.push_back(gauge(static_cast<double>(count.load()), {}));
  };
  add("akin_http_connections", "Connections that are open.", load_.connections);
  add("akin_http_requests_in_flight", "Requests between their first byte and their answer's last.",
      load_.in_flight);
  add("akin_http_queue_length", "Requests that wait for a worker or are with one.", load_.queued);
  add("akin_http_streams", "Streams under way.", load_.streams);
  if (load_.certificate_end != 0) {
    add("akin_tls_certificate_expires_seconds", "When the TLS certificate expires, in seconds since 1970.",
        load_.certificate_end);
  }
  if (dropped_lines_ != nullptr) {
    families.push_back(
        counter_family("akin_log_lines_dropped_total",
                       "Lines of the log that nothing read, or for which there was no memory."));
    families.back().metric.push_back(counter(static_cast<double>(dropped_lines_()), {}));
  }
  families.push_back(impl_->build);
  append_process(families);
  append_words(families);
  append_failures(families);
  std::shared_ptr<Catalog> catalog;
  {
    const std::lock_guard lock(impl_->catalog_mutex);
    catalog = impl_->catalog.lock();
  }
  if (catalog) append_collections(*catalog, families);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace akin::metrics
