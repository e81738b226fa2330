// Helpers that both kinds of state share for leases.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"

namespace akin::state {

/// The number of a lease's name. Two names with the same number wait for each other: of a million names two
/// do with a probability of 10^-7.
[[nodiscard]] inline std::uint64_t lease_key(std::string_view name) noexcept {
  SpellingHash hash;
  for (const char byte : name) hash.add(static_cast<unsigned char>(byte));
  return hash.value();
}

[[nodiscard]] inline Error held_by_another(std::string_view holder) {
  return Error{Errc::busy, "server", std::string(holder) + " is at work", "try again when it has ended"};
}

}  // namespace akin::state
