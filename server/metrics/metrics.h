// What the server counts about itself, in the text format of Prometheus.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/catalog.h"

namespace akin::metrics {

/// An answered request.
struct Answered {
  std::string_view
      route;  ///< the pattern, never a path, so that their number is bounded; empty: none matched
  std::string_view method;  ///< as sent
  int status = 0;
  double seconds = 0.0;  ///< from the first byte of the request to the last of the answer
  std::uint64_t bytes_in = 0, bytes_out = 0;
};

/// How much of each bounded quantity is taken now.
struct Load {
  std::atomic<std::int64_t> connections = 0, in_flight = 0, queued = 0, streams = 0;
  std::atomic<std::int64_t> certificate_end = 0;  ///< in seconds since 1970; 0: no TLS
};

/// How long the answers to requests of one route took since the start.
struct Durations {
  std::string route, method;
  std::vector<double> bounds;          ///< in seconds, ascending: of all parts but the last, which has none
  std::vector<std::uint64_t> answers;  ///< in each part, one more than bounds
};

/// Counts one up while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::int64_t>& count) noexcept : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::int64_t>& count_;
};

/// Members may be called from any number of threads.
class Metrics {
 public:
  explicit Metrics(const std::string& version);
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  ~Metrics();

  void answered(const Answered& request);
  /// `reason` is one of a few words: "malformed", "queue_full" …
  void rejected(std::string_view reason);
  /// A submission check with this verdict.
  void checked(std::string_view verdict);
  [[nodiscard]] Load& load() noexcept { return load_; }
  /// From now on text() includes the collections that are open in it. Call once.
  void watch(const std::shared_ptr<Catalog>& catalog);

  /// From now on text() includes the number of log lines that were not written. Call once, first.
  void watch_log(std::uint64_t (*dropped_lines)() noexcept) noexcept { dropped_lines_ = dropped_lines; }

  /// One element for each status too. Refused requests are among them.
  [[nodiscard]] std::vector<Durations> durations() const;

  /// The text format, version 0.0.4. Reads the statistics of the open collections; opens none.
  [[nodiscard]] std::string text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  Load load_;
  std::uint64_t (*dropped_lines_)() noexcept = nullptr;
};

}  // namespace akin::metrics
