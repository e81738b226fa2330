// What akin and akin-extract say to each other of a page of a PDF or DjVu that is to be seen. The request is
// "AKV1", the length of its body (u64) and the body: the page (u32) and the file; the answer is that of a
// file (answer.h), whose body begins with 0 for an error and 4 for a picture. The request for the places of
// all words begins with "AKW1", and its body is the file; the body of the answer begins with 5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::extract {

inline constexpr std::string_view kPictureMagic = "AKV1";
inline constexpr std::string_view kPlacesMagic = "AKW1";

/// A word of a page; lengths in pixels, y downwards.
struct PlacedWord {
  std::string text;
  std::uint32_t left = 0, top = 0, right = 0, bottom = 0;
  bool is_drawn = true;  ///< false: its font is not in the file, and the picture lacks the word
  friend bool operator==(const PlacedWord&, const PlacedWord&) = default;
};

/// A page as it is printed.
struct PagePicture {
  std::string jpeg;
  std::uint32_t width = 0, height = 0;  ///< in pixels
  std::vector<PlacedWord> words;        ///< in reading order
  friend bool operator==(const PagePicture&, const PagePicture&) = default;
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

struct PictureRequest {
  std::uint32_t page = 1;  ///< from 1
  std::string_view bytes;  ///< of the file
};
[[nodiscard]] std::string encode_picture_request(const PictureRequest& request);
/// Views the body. Error: corrupt.
[[nodiscard]] Result<PictureRequest> decode_picture_request(std::string_view body);

/// The body of an answer.
[[nodiscard]] std::string encode_picture(const Result<PagePicture>& picture);
/// Trusts nothing in it, as decode_answer.
[[nodiscard]] Result<PagePicture> decode_picture(std::string_view body, const std::string& name);

/// The same for the words of all pages, the first page first.
[[nodiscard]] std::string encode_places(const Result<std::vector<PageWords>>& pages);
[[nodiscard]] Result<std::vector<PageWords>> decode_places(std::string_view body, const std::string& name);

}  // namespace akin::extract
