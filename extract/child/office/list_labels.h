// The text that a list puts in front of its paragraphs, which is in none of them.
#pragma once

#include <string>
#include <string_view>

namespace akin::extract {

/// A label of a list, without its number and the marks before and after that, where it carries text: four
/// words or more, or 30 letters. Shorter ones number or mark what follows ("Chapter 3", "Annex A."), and are
/// left out with their numbers: then empty.
[[nodiscard]] std::string text_of_label(std::string_view label);

}  // namespace akin::extract
