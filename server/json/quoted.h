// Formats names and values for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace akin::json {

/// The text in single quotes; a text over 80 code points is cut and ends in an ellipsis. Takes any bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// "'a', 'b' and 'c'"; "none" for an empty list.
[[nodiscard]] std::string quoted_list(std::span<const std::string_view> names);

}  // namespace akin::json
