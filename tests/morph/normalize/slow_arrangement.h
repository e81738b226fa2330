// The slow twin's arrangement of a text: the rules of docs/text-rules.md, section 8, on code points and whole
// lists of lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace akin::slow {

struct Arranged {
  std::u32string text;
  std::vector<std::uint32_t> origin;  ///< of each character; of an inserted one, that of the next kept one
};

[[nodiscard]] Arranged arranged(std::u32string_view text);

}  // namespace akin::slow
