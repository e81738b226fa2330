// A page of a PDF, DjVu or picture as people see it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/client/picture_answer.h"

namespace akin::extract {

/// What a screen shows well, in dots per inch; large sheets get less.
inline constexpr int kViewResolution = 110;
inline constexpr double kMostViewPixels = 4e6;

/// Of a file with so many pages.
[[nodiscard]] Error no_such_page(int pages, std::uint32_t page);

/// A JPEG of pixels of three bytes each, row by row from the top. Error: file_damaged.
[[nodiscard]] Result<std::string> encode_jpeg(std::string_view rgb, const PageWords& size, int dots);

/// The page as a picture, with the places of its words. Errors: file_damaged (also: it has fewer pages),
/// file_encrypted.
[[nodiscard]] Result<PagePicture> draw_page(const PictureRequest& request);

/// The words of all pages with their places, as draw_page would give them: none after kMostWordsOfFile.
/// Errors: file_damaged, file_encrypted.
[[nodiscard]] Result<std::vector<PageWords>> place_words(std::string_view bytes);

}  // namespace akin::extract
