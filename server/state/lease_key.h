// What both kinds of state share about holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"

namespace akin::state {

/// The number that stands for a hold's name. Two names that share one wait for each other: of a million names
/// two do with a probability of 10^-7.
[[nodiscard]] inline std::uint64_t lease_key(std::string_view name) noexcept {
  SpellingHash hash;
  for (const char byte : name) hash.add(static_cast<unsigned char>(byte));
  return hash.value();
}

[[nodiscard]] inline Error held_by_another(std::string_view holder) {
  return Error{Errc::busy, "server", std::string(holder) + " is at work", "repeat when it has ended"};
}

}  // namespace akin::state
