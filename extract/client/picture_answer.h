// What akin and akin-extract say to each other of a page of a PDF, DjVu or picture that is to be seen. The
// request is "AKV1", the length of its body (u64) and the body: the page (u32) and the file; the answer is
// that of a file (answer.h), whose body begins with 0 for an error and 4 for a picture. The request for the
// places of all words begins with "AKW1", and its body is the file; the body of the answer begins with 5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/placed_words.h"

namespace akin::extract {

inline constexpr std::string_view kPictureMagic = "AKV1";
inline constexpr std::string_view kPlacesMagic = "AKW1";

/// A page as it is printed.
struct PagePicture {
  std::string jpeg;
  std::uint32_t width = 0, height = 0;  ///< in pixels
  std::vector<PlacedWord> words;        ///< in reading order
  friend bool operator==(const PagePicture&, const PagePicture&) = default;
};

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
