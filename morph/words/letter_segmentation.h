// Letters without blanks → words, where letterspacing left no sign of where a word ends.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"

namespace akin {

/// Fewer single letters are divided as other parts are (WordCollector).
inline constexpr std::size_t kMinSegmentedLetters = 5;
/// More in a row are divided in sections.
inline constexpr std::size_t kMaxSegmentedLetters = 512;

/// Cuts `letters` (folded) into words, at some of the places `begins`, where its characters begin: the first
/// is 0. Gives for each word the index in `begins` where the next one begins; the last is begins.size().
///
/// Of all ways the one that costs least, by dynamic programming: a word in the dictionary's table costs less
/// the longer it is, the few hundred short words that texts in Russian, Ukrainian, English and German are
/// full of cost less than others of their length, and letters that make no word cost most. Of ways that cost
/// the same, the one with the longer words. Takes 30 look-ups a letter.
[[nodiscard]] std::vector<std::size_t> segment_letters(const Dictionary& dictionary,
                                                       std::u32string_view letters,
                                                       std::span<const std::size_t> begins);

}  // namespace akin
