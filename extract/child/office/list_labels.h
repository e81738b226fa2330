// The text that a list puts in front of its paragraphs, which is in none of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "extract/text_layout.h"

namespace akin::extract {

/// A label of a list, without its number and the marks before and after that, where it carries text: four
/// words or more, or 30 letters. Shorter ones number or mark what follows ("Chapter 3", "Annex A."), and are
/// left out with their numbers: then empty.
[[nodiscard]] inline std::string text_of_label(std::string_view label) {
  constexpr std::size_t kFewestWords = 4, kFewestLetters = 30, kMostBytes = 4096;
  label = whole_characters(label, kMostBytes);
  label.remove_prefix(std::min(label.find_first_not_of(" .)-"), label.size()));
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0xC0;
  };
  std::size_t words = 0, letters = 0;
  for (const std::string_view word : split(label, ' ')) {
    const auto of_word = static_cast<std::size_t>(std::ranges::count_if(word, is_letter));
    words += of_word > 0 ? 1 : 0;
    letters += of_word;
  }
  return words < kFewestWords && letters < kFewestLetters ? std::string() : std::string(label);
}

}  // namespace akin::extract
