// Validates, decodes and encodes UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// Accepts exactly well-formed UTF-8 (Unicode 15, table 3-7: no surrogates, no overlong forms, nothing over
/// U+10FFFF). On failure the error names the byte offset, the line (from 1) and the offending byte. `what` is
/// the subject of the error.
[[nodiscard]] Result<void> validate_utf8(std::string_view bytes, std::string_view what);

/// Number of code points of well-formed UTF-8.
[[nodiscard]] std::size_t count_code_points(std::string_view utf8) noexcept;

/// The code points [begin, end) of well-formed UTF-8, as a view; positions past the end give the end.
[[nodiscard]] std::string_view slice_code_points(std::string_view utf8, std::size_t begin,
                                                 std::size_t end) noexcept;

/// Decodes the code point at `at` of well-formed UTF-8 and moves `at` past it. Requires at < utf8.size().
[[nodiscard]] char32_t next_code_point(std::string_view utf8, std::size_t& at) noexcept;

void append_utf8(std::string& out, char32_t c);
[[nodiscard]] std::string to_utf8(std::u32string_view letters);
[[nodiscard]] std::u32string to_utf32(std::string_view utf8);  ///< requires well-formed UTF-8

}  // namespace akin
