// A pass over every posting list of a store, for all pairs, whichever engine stores the lists.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"
#include "index/overlap/posting_cursor.h"

namespace akin {

/// All posting lists of a snapshot, features ascending, each list whole: its documents ascending, each once,
/// only documents that exist. Before the first next() there is no current list.
class ListStream {
 public:
  ListStream() = default;
  ListStream(const ListStream&) = delete;
  ListStream& operator=(const ListStream&) = delete;
  ListStream(ListStream&&) = default;
  ListStream& operator=(ListStream&&) = default;
  virtual ~ListStream() = default;

  /// Moves to the next list; false after the last one. Error: corrupt.
  [[nodiscard]] virtual Result<bool> next() = 0;

  // The current list. Views are valid until the next call of next(). Both spans are equally long, and not
  // empty.
  [[nodiscard]] virtual Feature feature() const noexcept = 0;
  [[nodiscard]] virtual std::span<const DocNumber> documents() const noexcept = 0;
  [[nodiscard]] virtual std::span<const std::uint32_t> counts() const noexcept = 0;
};

static_assert(HasPostings<ListStream>);

/// Opens any number of passes over one snapshot; all of them return the same lists. One thread.
class ListSource {
 public:
  virtual ~ListSource() = default;

  /// Document numbers are below this.
  [[nodiscard]] virtual std::uint64_t document_limit() const noexcept = 0;
  /// The stream must not outlive the source.
  [[nodiscard]] virtual Result<std::unique_ptr<ListStream>> lists() const = 0;
};

}  // namespace akin
