// The dense segments of a line on which some places are marked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// `marked`: ranges of a line, not empty, ascending, with at least one place between any two. The segments
/// of which every proper beginning and end that is cut between two marked ranges has more than `percent` % of
/// its places marked, and which no longer such segment contains: the maximal scoring subsequences of Ruzzo
/// and Tompa ("A linear time algorithm for finding all maximal scoring subsequences", ISMB 1999), where a
/// marked place scores 100 - percent and another -percent. They ascend, do not overlap, and together hold all
/// marked ranges. Requires percent <= 99. Time: linear.
[[nodiscard]] std::vector<WordRange> dense_segments(std::span<const WordRange> marked, unsigned percent);

}  // namespace akin
