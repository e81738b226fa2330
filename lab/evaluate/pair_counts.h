// Counts what a method finds among judged pairs.
#pragma once

#include <cstdint>

#include "lab/evaluate/labelled_set.h"

namespace akin::evaluate {

struct PairCounts {
  std::uint64_t found = 0;     ///< judged pairs
  std::uint64_t wrong = 0;     ///< of them, those that are not duplicates: errors of the first kind
  std::uint64_t missed = 0;    ///< duplicates that were not found: errors of the second kind
  std::uint64_t unjudged = 0;  ///< found as well, but nobody has judged them

  /// Counts a found pair.
  void add(Judgement judgement) noexcept {
    if (judgement == Judgement::unknown) {
      ++unjudged;
      return;
    }
    ++found;
    if (judgement == Judgement::different) ++wrong;
  }
  /// Call when all found pairs are added: of `duplicates` the others are missed.
  void finish(std::uint64_t duplicates) noexcept { missed = duplicates - (found - wrong); }

  /// wrong / found; 0 if nothing was found.
  [[nodiscard]] double first_kind() const noexcept { return share(wrong, found); }
  /// missed / duplicates; 0 if there are no duplicates.
  [[nodiscard]] double second_kind() const noexcept { return share(missed, missed + (found - wrong)); }

 private:
  static double share(std::uint64_t part, std::uint64_t whole) noexcept {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace akin::evaluate
