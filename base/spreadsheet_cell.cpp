#include "base/spreadsheet_cell.h"

namespace akin {

namespace {

/// Whether it has a character that begins a formula after any number of apostrophes.
bool is_formula(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of('\'');
  return first != std::string_view::npos &&
         std::string_view("=+-@\t\r").find(cell[first]) != std::string_view::npos;
}

}  // namespace

std::string guarded_cell(std::string_view cell) {
  return is_formula(cell) ? "'" + std::string(cell) : std::string(cell);
}

std::string unguarded_cell(std::string_view cell) {
  if (cell.starts_with('\'') && is_formula(cell)) cell.remove_prefix(1);
  return std::string(cell);
}

}  // namespace akin
