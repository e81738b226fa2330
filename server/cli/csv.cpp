#include "server/cli/csv.h"

namespace akin::cli {

std::string csv_line(std::initializer_list<std::string_view> fields) {
  std::string line;
  for (const std::string_view field : fields) {
    if (!line.empty()) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + '\n';
}

}  // namespace akin::cli
