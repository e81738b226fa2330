#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "base/background_failures.h"
#include "server/metrics/collections.h"
#include "server/metrics/process.h"
#include "server/metrics/words.h"

namespace akin::metrics {

namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;

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
