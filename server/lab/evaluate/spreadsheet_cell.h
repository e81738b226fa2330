// Texts of strangers in tables that people open with a spreadsheet: a cell that begins with =, +, - or @
// would be taken for a formula there, and a title could so read other cells or call a program (OWASP, "CSV
// injection"). Such a cell is written behind an apostrophe, which spreadsheets take as "this is text".
#pragma once

#include <string>
#include <string_view>

namespace akin::evaluate {

/// The cell with an apostrophe before it, if it begins with =, +, - or @, or with apostrophes before one of
/// these; else as it is.
[[nodiscard]] std::string guarded_cell(std::string_view cell);

/// What was guarded: unguarded_cell(guarded_cell(x)) is x. Takes one apostrophe off a cell that begins with
/// apostrophes before =, +, - or @.
[[nodiscard]] std::string unguarded_cell(std::string_view cell);

}  // namespace akin::evaluate
