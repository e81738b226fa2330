// Where the words of pages are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace akin::extract {

/// A word of a page; lengths in pixels, y downwards.
struct PlacedWord {
  std::string text;
  std::uint32_t left = 0, top = 0, right = 0, bottom = 0;
  bool is_drawn = true;  ///< false: its font is not in the file, and the picture lacks the word
  friend bool operator==(const PlacedWord&, const PlacedWord&) = default;
};
inline constexpr std::size_t kMostPlacedWords = 100'000;

/// Where the words of a page are, in a picture of this size.
struct PageWords {
  std::uint32_t width = 0, height = 0;
  std::vector<PlacedWord> words;  ///< in reading order
  friend bool operator==(const PageWords&, const PageWords&) = default;
};
/// Of a file; its further words have no places.
inline constexpr std::size_t kMostPlacedPages = 100'000, kMostWordsOfFile = 4'000'000;

}  // namespace akin::extract
