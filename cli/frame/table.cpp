#include "cli/frame/table.h"

#include <algorithm>
#include <cassert>

#include "base/utf8.h"
#include "base/visible_text.h"

namespace akin::cli {

void Table::add(std::vector<std::string> row) {
  assert(row.size() == columns_.size());
  for (std::string& cell : row) cell = visible_text(cell);
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], count_code_points(row[column]));
    }
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (column > 0) line += "  ";
      const std::string padding(widths[column] - count_code_points(row[column]), ' ');
      line += columns_[column] == Align::right ? padding + row[column] : row[column] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace akin::cli
