// The slow twin's rules about lines, and what it shares with those about letters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace akin::slow {

/// Replaces [begin, end), in code points.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::u32string by;
  bool backward = false;  // by its own characters in reverse order
};
using Edits = std::vector<Edit>;

[[nodiscard]] bool one_of(char32_t c, std::u32string_view set);
[[nodiscard]] bool is_double_quote(char32_t c);
/// A quotation mark or an apostrophe.
[[nodiscard]] bool is_quotation(char32_t c);

/// Adds what undoes the layout of the lines.
void undo_layout(std::u32string_view text, Edits& edits);

}  // namespace akin::slow
