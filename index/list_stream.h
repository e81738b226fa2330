// A pass over all posting lists, whatever stores them.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.h"
#include "index/posting.h"

namespace akin {

/// All posting lists of a snapshot, features ascending, each list whole: documents ascending, each once, and
/// only documents that exist. Spans hold until the next call of `next`.
class ListStream {
 public:
  virtual ~ListStream() = default;
  /// Moves to the next list; false after the last one. Error: corrupt; whether to go on behind it is the
  /// implementation's.
  [[nodiscard]] virtual Result<bool> next() = 0;
  [[nodiscard]] virtual Feature feature() const noexcept = 0;
  [[nodiscard]] virtual std::span<const DocNumber> documents() const noexcept = 0;
  [[nodiscard]] virtual std::span<const std::uint32_t> counts() const noexcept = 0;
};

}  // namespace akin
