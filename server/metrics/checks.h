// The metrics of submission checks that wait, and of what checks keep, in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <string>

namespace akin::metrics {

struct CheckFigures {
  std::uint64_t waiting = 0;  ///< handed in, and not failed
  std::uint64_t failed = 0;
  /// Files, texts and passages that checks keep, each piece once; the bytes also as they are stored.
  std::uint64_t kept_pieces = 0, kept_bytes = 0, kept_stored_bytes = 0;
};

/// May be appended to Metrics::text().
[[nodiscard]] std::string checks_text(const CheckFigures& figures);

}  // namespace akin::metrics
