// Decodes "&nbsp;", "&#1071;", "&#x44f;": characters by name and number, as HTML 4 defines them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace akin::ingest {

/// A character, and the length of its reference in bytes; 0 if there is none.
struct Entity {
  char32_t character = 0;
  std::size_t bytes = 0;
};

/// Reads the reference that `text` begins with, from "&" to ";". Not accepted: unknown names, surrogates,
/// numbers over U+10FFFF, and control characters other than tab and line feed.
[[nodiscard]] Entity read_character_reference(std::string_view text) noexcept;

/// The text with its references decoded; everything else is unchanged.
[[nodiscard]] std::string decode_character_references(std::string_view text);

}  // namespace akin::ingest
