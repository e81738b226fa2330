// Reads tables from files: values separated by commas, semicolons or tabs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::tables {

struct DelimitedRow {
  std::vector<std::string> fields;
  std::uint64_t line = 0;  ///< where it begins, from 1
};

/// A table with a heading. Every row has as many fields as the heading.
struct DelimitedTable {
  std::string name;  ///< for errors: "pairs.tsv"
  std::vector<std::string> head;
  std::vector<DelimitedRow> rows;

  /// The first existing column with one of these names.
  [[nodiscard]] std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
  /// The same, but absence is an error (invalid_argument, which lists the existing columns).
  [[nodiscard]] Result<std::size_t> required_column(std::initializer_list<std::string_view> names) const;
  /// "pairs.tsv line 12"
  [[nodiscard]] std::string place(const DelimitedRow& row) const;
};

/// Reads UTF-8 (without a byte order mark). If the first line has a tab, tabs separate the fields, and a
/// quotation mark is an ordinary character. Otherwise the format is that of RFC 4180, with semicolons as
/// separators if the first line has more of those than commas. Empty lines are skipped. Errors:
/// invalid_argument (no heading, two columns with one name, a row with another number of fields, a quotation
/// mark that is not closed), all with the line.
[[nodiscard]] Result<DelimitedTable> read_delimited(std::string_view text, std::string name);

}  // namespace akin::tables
