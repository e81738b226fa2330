// The lines of a text, as the layout rules see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace akin {

/// A line that is not blank. White space: blank, tab, CR, VT, FF, U+00A0, U+2000 … U+200A, U+202F, U+3000.
struct TextLine {
  std::uint32_t begin = 0, end = 0;  ///< bytes, without white space at both ends
  std::uint32_t start = 0;           ///< byte after the line break before it
  std::uint32_t breaks = 0;          ///< line breaks since the line before it, or since the text's start
  std::uint32_t indent = 0;          ///< columns before it; a tab goes to the next multiple of eight
  bool ends_sentence =
      false;  ///< its last character but quotation marks and brackets may end one, or is a colon
  /// It ends with : , ! ? … or two full stops, so a blank line after it makes no difference
  /// (goes_on_past_blank_line; this one may miss some).
  bool goes_on = false;
  /// It ends with a full stop after six letters or more, and double quotation marks.
  bool ends_long_word = false;
  bool ends_in_hyphen = false;  ///< which may divide a word
  bool is_quoted = false;       ///< it begins with >
  bool removed = false;         ///< page furniture
};

[[nodiscard]] std::vector<TextLine> lines_of(std::string_view utf8);

/// Longer lines are those of no printer.
inline constexpr std::uint32_t kMostColumns = 250;

/// Code points of a line.
[[nodiscard]] std::uint32_t columns_of(std::string_view utf8, const TextLine& line);

/// Whether a line has at most kMostColumns.
[[nodiscard]] bool is_narrow(std::string_view utf8, const TextLine& line);

/// Whether the first word of `next` did not fit into a line of so many columns after those of a line: they
/// have nine tenths of `width` or more.
[[nodiscard]] bool is_full(std::size_t columns_of_line, std::string_view next, std::uint32_t width);

/// Whether there is a digit at the line's start or end, apart from what may be around a page number.
[[nodiscard]] bool shows_number(std::string_view line);

/// The line with a hyphen for every dash; of one that takes more than `most` bytes, no more than its
/// beginning.
[[nodiscard]] std::string with_plain_dashes(std::string_view line, std::size_t most);

/// Moves `at` past white space other than LF.
[[nodiscard]] std::size_t skip_line_space(std::string_view utf8, std::size_t at);

}  // namespace akin
