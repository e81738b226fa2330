// The yardstick of scanning: what any program that looks at the characters of a text must do at least.
#pragma once

#include <cstddef>
#include <string_view>

namespace akin::bench {

/// Decodes UTF-8 and counts letters.
[[nodiscard]] std::size_t count_letters(std::string_view text);

}  // namespace akin::bench
