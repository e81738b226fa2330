// A pass over every posting list of a store: what all pairs need of it, whatever stores the lists.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"
#include "index/posting_cursor.h"

namespace akin {

/// All posting lists of a snapshot, features ascending, each list whole: its documents ascending, each once,
/// only documents that exist. Before the first next() there is no list at hand.
class ListStream {
 public:
  ListStream() = default;
  ListStream(const ListStream&) = delete;
  ListStream& operator=(const ListStream&) = delete;
  ListStream(ListStream&&) = default;
  ListStream& operator=(ListStream&&) = default;
  virtual ~ListStream() = default;

  /// Moves to the next list; false behind the last one. Error: corrupt.
  [[nodiscard]] virtual Result<bool> next() = 0;

  // The list at hand. Views live until the next call of next(). Both spans are equally long, and not empty.
  [[nodiscard]] virtual Feature feature() const noexcept = 0;
  [[nodiscard]] virtual std::span<const DocNumber> documents() const noexcept = 0;
  [[nodiscard]] virtual std::span<const std::uint32_t> counts() const noexcept = 0;
};

static_assert(HasPostings<ListStream>);

/// Opens passes over one snapshot, as many as are asked for; all of them give the same lists. One thread.
class ListSource {
 public:
  virtual ~ListSource() = default;

  /// Document numbers are below this.
  [[nodiscard]] virtual std::uint64_t document_limit() const noexcept = 0;
  /// The stream must not outlive the source.
  [[nodiscard]] virtual Result<std::unique_ptr<ListStream>> lists() const = 0;
};

}  // namespace akin
