#include "cli/frame/csv.h"

namespace akin::cli {

namespace {

void append_field(std::string& line, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

template <class Fields>
std::string joined_fields(const Fields& fields) {
  std::string line;
  bool first = true;
  for (const auto& field : fields) {
    if (!first) line += ',';
    first = false;
    append_field(line, field);
  }
  return line + '\n';
}

}  // namespace

std::string csv_line(std::initializer_list<std::string_view> fields) { return joined_fields(fields); }

std::string csv_line(const std::vector<std::string>& fields) { return joined_fields(fields); }

}  // namespace akin::cli
