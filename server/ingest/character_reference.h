// "&nbsp;", "&#1071;", "&#x44f;": characters by name and number, as HTML 4 has them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace akin::ingest {

/// A character, and how many bytes its reference takes; 0 where there is none.
struct Entity {
  char32_t character = 0;
  std::size_t bytes = 0;
};

/// Reads the reference that `text` begins with, from "&" to ";". None are those of unknown names, of
/// surrogates, of numbers over U+10FFFF and of control characters but tab and line feed.
[[nodiscard]] Entity read_character_reference(std::string_view text) noexcept;

/// The text with its references decoded; what is none stays.
[[nodiscard]] std::string decode_character_references(std::string_view text);

}  // namespace akin::ingest
