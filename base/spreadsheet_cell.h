// Guards untrusted text in tables that people open with a spreadsheet: a cell that begins with =, +, -, @, a
// tab or a carriage return would be taken for a formula there, and so a title could read other cells or call
// a program (OWASP, "CSV injection"). Such a cell is written with an apostrophe in front, which spreadsheets
// take as "this is text".
#pragma once

#include <string>
#include <string_view>

namespace akin {

/// The cell with an apostrophe in front, if it begins with one of these characters, or with apostrophes
/// before one of them; else unchanged.
[[nodiscard]] std::string guarded_cell(std::string_view cell);

/// Undoes guarded_cell: unguarded_cell(guarded_cell(x)) is x. Removes one apostrophe from a cell that begins
/// with apostrophes before such a character.
[[nodiscard]] std::string unguarded_cell(std::string_view cell);

}  // namespace akin
