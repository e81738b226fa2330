// Comma-separated values (RFC 4180), each line ended by a line feed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace akin::cli {

/// One line: fields with a comma, a quotation mark or a line break are put in quotation marks.
[[nodiscard]] std::string csv_line(std::initializer_list<std::string_view> fields);
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace akin::cli
