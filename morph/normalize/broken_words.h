// Words that a text breaks at line ends which no printer made.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"

namespace akin {

/// Adds edits that join the halves of words, where half of a text's line breaks, kLeastBroken and one for
/// kBlanksPerBroken blanks divide one: a hyphen between two letters and the break. Print breaks a fifth of
/// its lines so at most, and a text that breaks after its own hyphens only does so at fewer words; in both
/// the dictionary decides (WordCollector). Breaks beside an empty line do not count; the first
/// kBreaksLookedAt decide for the whole text, so that other texts cost nothing.
void find_broken_words(std::string_view utf8, std::vector<ArrivalEdit>& edits);
inline constexpr std::size_t kLeastBroken = 10;
inline constexpr std::size_t kBlanksPerBroken = 40;
inline constexpr std::size_t kBreaksLookedAt = 256;

}  // namespace akin
