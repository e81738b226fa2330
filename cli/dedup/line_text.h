// Parts of a text that repeat, and the place of a text in a line of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace akin::dedup {

/// Where a text is cut into pieces.
enum class Cut : std::uint8_t { paragraphs, lines };

/// The pieces of a text, which make it up again: each ends after the line ends that follow it. Paragraphs are
/// separated by blank lines, lines by line feeds.
[[nodiscard]] std::vector<std::string_view> cut_text(std::string_view text, Cut cut);

/// The line, an object, with another string as the value of a field. All other bytes stay. Requires valid
/// JSON in which the object itself has the field.
[[nodiscard]] std::string with_string(std::string_view line, std::string_view field, std::string_view value);

}  // namespace akin::dedup
