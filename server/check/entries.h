// What entries of a bibliography look like, whatever their list is called.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "server/check/lines.h"

namespace akin::check {

/// Whether a line has the form of an entry, or of a part of one: a number before it, a year, an address, or
/// the sign between an article and its journal.
[[nodiscard]] bool is_entry(const Line& line);

/// Lists that show themselves: four entries or more in a row, each of which begins with a name and initials
/// ("Ivanov I. A.", "[3] J. Smith") and has a year or an address. A short line before them, their heading,
/// belongs to them. Ascending and disjoint; `lines`: those of a text.
[[nodiscard]] std::vector<TextRange> find_lists_of_entries(const std::vector<Line>& lines);

}  // namespace akin::check
