// The scrub reads the files of collections again in the background, so that damage is found before the
// damaged data is needed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/time.h"
#include "index/store/store.h"

namespace akin {

/// A pass over a collection's file.
struct ScrubPass {
  std::optional<Time> ended;
  std::uint64_t bytes = 0;
  std::uint64_t findings = 0;
  Finding first;  ///< if there are any

  friend bool operator==(const ScrubPass&, const ScrubPass&) = default;
};

struct ScrubControl {
  /// Called after so many bytes were read; returns false to stop. Never with anything locked.
  std::function<bool(std::uint64_t bytes)> pace;
  /// Called for each finding, once in a pass.
  std::function<void(const Finding&)> report;
};

}  // namespace akin
