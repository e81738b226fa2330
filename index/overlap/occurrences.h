// The positions in a sequence of the features that another one has, as linked lists from which positions can
// be removed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "morph/schemes/scheme.h"

namespace akin {

/// For every distinct feature of a query, its unused positions in a sequence, in ascending order. Positions
/// and value numbers are 32 bits wide; `kNone` is neither. Building costs O(n) expected, everything else
/// O(1). A short query beside a long sequence is fastest: only its features are in the table.
class Occurrences {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// Requires that both have fewer than kNone features.
  Occurrences(std::span<const Feature> query, std::span<const Feature> sequence);

  /// The number of a value, kNone if the query does not have it.
  [[nodiscard]] std::uint32_t value_of(Feature feature) const noexcept;
  /// The number of the value at a position of the sequence, kNone if the query does not have it.
  [[nodiscard]] std::uint32_t value_at(std::uint32_t position) const noexcept { return value_at_[position]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(value_at_.size()); }

  /// First unused position of a value, kNone if the sequence does not have it or all are used.
  [[nodiscard]] std::uint32_t first(std::uint32_t value) const noexcept { return head_[value]; }
  /// The next unused position of the same value. Requires an unused position.
  [[nodiscard]] std::uint32_t next(std::uint32_t position) const noexcept { return next_[position]; }
  [[nodiscard]] bool used(std::uint32_t position) const noexcept { return used_[position] != 0; }

  /// Removes a position. Requires that it is unused, and that the query has its value.
  void use(std::uint32_t position) noexcept;

 private:
  [[nodiscard]] std::size_t slot_of(Feature feature) const noexcept;

  struct Slot {
    Feature feature{};
    std::uint32_t value = kNone;
  };
  std::vector<Slot> slots_;  ///< open addressing, a power of two in size, at most half full
  std::vector<std::uint32_t> value_at_;
  std::vector<std::uint32_t> head_;
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint8_t> used_;
};

}  // namespace akin
