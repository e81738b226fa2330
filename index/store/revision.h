// Revisions: the order in which documents were stored.
#pragma once

#include <compare>
#include <cstdint>

namespace akin {

/// When a document was stored, in microseconds since the Unix epoch: no two documents of a collection have
/// the same, and a document stored later has a larger one, whatever the clock does. 0: none assigned.
struct Revision {
  std::uint64_t value = 0;

  constexpr Revision() noexcept = default;
  constexpr explicit Revision(std::uint64_t number) noexcept : value(number) {}

  /// Greater than or equal to every revision.
  [[nodiscard]] static constexpr Revision last() noexcept { return Revision(UINT64_MAX); }
  [[nodiscard]] constexpr bool is_assigned() const noexcept { return value != 0; }
  friend constexpr auto operator<=>(Revision, Revision) noexcept = default;
};

/// The largest that a document can have: the last microsecond of the year 9999.
inline constexpr Revision kMaxRevision(253'402'300'799'999'999);

}  // namespace akin
