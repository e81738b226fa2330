// The slow twin's characters: what remains of a paragraph after all folds, by whole-text passes on ICU.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::slow {

/// One folded character.
struct Unit {
  char32_t c = 0;
  TextRange range;
  bool zero_width = false;    // an ignorable character before it or in its cluster
  bool soft_hyphen = false;   // a soft hyphen before it
  bool after_hyphen = false;  // a hyphen was taken out before it
  bool unmasked = false;      // look-alikes were exchanged in its run
  bool after_soft = false;    // after_hyphen, and it was a soft one
};
using Units = std::vector<Unit>;

[[nodiscard]] bool is_letter(char32_t c);
[[nodiscard]] bool is_digit(char32_t c);
[[nodiscard]] bool is_mark(char32_t c);
/// A letter of a script without spaces.
[[nodiscard]] bool is_solo(char32_t c);
[[nodiscard]] bool is_word(char32_t c);
/// Whether the last character that is not a mark is a letter.
[[nodiscard]] bool ends_in_letter(const Units& units);

/// The paragraphs of a text, with everything settled that can be without a dictionary.
[[nodiscard]] std::vector<Units> folded_paragraphs(std::string_view utf8);

}  // namespace akin::slow
