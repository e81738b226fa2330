// Columns of text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace akin::cli {

/// Rows of cells, printed with columns as wide as their widest cell. Width is counted in code points.
class Table {
 public:
  enum class Align : bool { left, right };

  /// One alignment per column; a row has exactly as many cells.
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> row);

  /// All rows, each ended by a line feed; two spaces between columns, no trailing spaces.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace akin::cli
