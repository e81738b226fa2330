// How often words were where a look-up is cheapest.
#pragma once

#include <cstdint>

namespace akin {

/// Of all dictionaries of this process, since it began.
struct LookUps {
  std::uint64_t words = 0;         ///< looked up many at once, as the scanner does with plain words
  std::uint64_t missed = 0;        ///< of those, not among the frequent words that are kept
  std::uint64_t not_in_table = 0;  ///< of those, not in the compiled table either
  std::uint64_t resolved = 0;      ///< times that Hunspell or Snowball was asked, by whatever look-up
};

/// Any thread. Adds to the counts; meant for windows of words, not for each.
void count_look_ups(const LookUps& more) noexcept;
[[nodiscard]] LookUps look_ups() noexcept;

}  // namespace akin
