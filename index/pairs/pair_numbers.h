// Numbers of documents in PairsRequest::only.
#pragma once

#include <cstdint>

#include "index/store/store.h"

namespace akin {

/// A snapshot whose posting lists have other numbers than its documents.
class PairNumbers {
 public:
  virtual ~PairNumbers() = default;
  /// The document's number in its lists. Errors: those of the store.
  [[nodiscard]] virtual Result<std::uint64_t> number_in_pairs(const StoredDocument& document) const = 0;
};

/// The number of a snapshot's document in PairsRequest::only.
[[nodiscard]] inline Result<std::uint64_t> number_in_pairs(const Snapshot& snapshot,
                                                           const StoredDocument& document) {
  const auto* const own = dynamic_cast<const PairNumbers*>(&snapshot);
  return own == nullptr ? Result<std::uint64_t>(document.number) : own->number_in_pairs(document);
}

}  // namespace akin
