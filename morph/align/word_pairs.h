// Which word of B corresponds to which word of A within an aligned passage.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/align.h"

namespace akin {

/// Words of equal class: word a of A and word b of B.
struct WordPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  bool moved = false;  ///< out of the order of the pairs that are not
  friend bool operator==(const WordPair&, const WordPair&) = default;
};

/// A word that has no partner in its place may be moved so many words from it.
inline constexpr std::uint32_t kMaxMove = 24;

/// Pairs words of the passage, each with at most one, by a. Those that are not moved ascend in B, too.
///
/// 1. In place are the equal words of the heaviest sequence of the passage's fragments that ascends in A and
///    in B, and between any two of these the longest common subsequence; if more than kMaxGapCells pairs of
///    words lie between them, only the equal words next to both.
/// 2. Moved are the other fragments' equal words, and words of one class at most kMaxMove words from where
///    the pair in place before them leads.
///
/// Time: linear in the passage's words, but for the sorting of its fragments.
[[nodiscard]] std::vector<WordPair> pair_words(const AlignedPassage& passage,
                                               std::span<const std::uint64_t> a,
                                               std::span<const std::uint64_t> b);

inline constexpr std::size_t kMaxGapCells = 4096;

}  // namespace akin
