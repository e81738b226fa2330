// Tombstones: documents that were removed or replaced and whose postings are still on the disk.
#pragma once

#include <cstdint>
#include <vector>

#include "index/codec/posting.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// A set of document numbers, as of one transaction.
class Tombstones {
 public:
  Tombstones() = default;
  /// Error: corrupt.
  [[nodiscard]] static Result<Tombstones> read(const lmdb::Txn& txn, const Tables& tables);

  [[nodiscard]] bool empty() const noexcept { return numbers_.empty(); }
  [[nodiscard]] bool contains(DocNumber document) const noexcept {
    const auto number = static_cast<std::uint32_t>(document);
    return number < bits_.size() && bits_[number];
  }
  /// Ascending.
  [[nodiscard]] const std::vector<DocNumber>& numbers() const noexcept { return numbers_; }

 private:
  std::vector<DocNumber> numbers_;
  std::vector<bool> bits_;
};

}  // namespace akin
