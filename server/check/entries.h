// What entries of a bibliography look like, whatever their list is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "server/check/lines.h"

namespace akin::check {

/// Whether a line has the form of an entry, or of a part of one: a number before it, a year, an address, or
/// the sign between an article and its journal.
[[nodiscard]] bool is_entry(const Line& line);

/// Code points of nearly all entries.
inline constexpr std::uint32_t kLongestEntry = 300;

/// The lines of the paragraph that begins at `at`, which is not blank: to a blank line, or to one that begins
/// with a number or a name and initials, as entries do. A line that is longer than entries is one itself.
[[nodiscard]] std::size_t end_of_paragraph(const std::vector<Line>& lines, std::size_t at);

/// Whether a paragraph is longer than entries are, and mostly sentences of ten words or more, two at least:
/// an entry has one title. A number before it or a year in it makes it none. Scripts without blanks between
/// words have no such paragraphs.
[[nodiscard]] bool is_prose(std::string_view paragraph);

/// Lists that show themselves: four entries or more in a row, each of which begins with a name and initials
/// ("Ivanov I. A.", "[3] J. Smith") and has a year or an address. A short line before them, their heading,
/// belongs to them. Ascending and disjoint; `lines`: those of a text.
[[nodiscard]] std::vector<TextRange> find_lists_of_entries(const std::vector<Line>& lines);

}  // namespace akin::check
