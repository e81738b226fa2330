// The metrics of watches and their webhooks, in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <string>

namespace akin::metrics {

struct WatchFigures {
  std::uint64_t watches = 0;  ///< of all collections
  /// Attempts to call a webhook since the start.
  std::uint64_t delivered = 0, failed = 0, given_up = 0;
};

/// May be appended to Metrics::text().
[[nodiscard]] std::string watches_text(const WatchFigures& figures);

}  // namespace akin::metrics
