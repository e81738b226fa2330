// What a mistyped word probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace akin::cli {

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, where
/// no letter is edited twice (optimal string alignment; Damerau 1964). Counts bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// "did you mean 'similar'? " for the candidate nearest to `word`, the first of several; "" if none is near.
/// A candidate is near if its distance is at most a third of the word's length, but at least one, or if it
/// starts with the word and the word has three letters or more, or the word starts with it and it has five.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace akin::cli
