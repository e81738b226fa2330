// Counts how often each level of a look-up was needed.
#pragma once

#include <cstdint>

namespace akin {

/// Counts for all dictionaries of this process, since it started.
struct LookUps {
  std::uint64_t words = 0;         ///< looked up in batches, as the scanner does with plain words
  std::uint64_t missed = 0;        ///< of those, not among the frequent words in the cache
  std::uint64_t not_in_table = 0;  ///< of those, not in the compiled table either
  std::uint64_t resolved = 0;      ///< times that Hunspell or Snowball was asked, by any look-up
};

/// Adds to the counts; call it once per window of words, not per word. Thread-safe.
void count_look_ups(const LookUps& more) noexcept;
[[nodiscard]] LookUps look_ups() noexcept;

}  // namespace akin
