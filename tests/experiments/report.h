// What experiments print: Markdown, which can stand in a page too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace akin::experiments {

/// A table; its first row is the heading. Columns but the first are set to the right.
[[nodiscard]] std::string markdown(const std::vector<std::vector<std::string>>& rows);

/// printf of one number.
[[nodiscard]] std::string number(const char* format, double value);
/// With commas between thousands.
[[nodiscard]] std::string grouped(std::uint64_t value);
/// "81.4 %"; "-" of nothing.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace akin::experiments
