// Any bytes as a delimited table: refused with the line, or read; and what was read comes back when it is
// written as RFC 4180 has it. The time is in proportion to the length.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "server/tables/delimited.h"
#include "tests/fuzz/time_per_byte.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string write_row(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    line += line.empty() ? "\"" : ",\"";
    for (const char c : field) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line + "\r\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  akin::fuzz::check_time(text, {.before = "a,b\n", .between = "\n"}, [](std::string_view repeated) {
    (void)akin::tables::read_delimited(repeated, "table");
  });
  const auto table = akin::tables::read_delimited(text, "table");
  if (table.has_error()) {
    require(table.error().what.starts_with("table") && !table.error().reason.empty());
    return 0;
  }
  std::uint64_t line = 1;
  for (const akin::tables::DelimitedRow& row : table->rows) {
    require(row.fields.size() == table->head.size() && row.line > line);
    line = row.line;
  }
  require(line <= 1 + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));

  // The first line determines what separates fields: it must not hold another separator.
  std::string written = write_row(table->head);
  if (written.find_first_of("\t;\n") != written.size() - 1) return 0;
  for (const akin::tables::DelimitedRow& row : table->rows) written += write_row(row.fields);
  const auto again = akin::tables::read_delimited(written, "table");
  require(again.has_value() && again->head == table->head && again->rows.size() == table->rows.size());
  for (std::size_t i = 0; i < table->rows.size(); ++i)
    require(again->rows[i].fields == table->rows[i].fields);
  return 0;
}
