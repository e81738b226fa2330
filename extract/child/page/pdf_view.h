// A page of a PDF as people see it.
#pragma once

#include "extract/client/picture_answer.h"

namespace akin::extract {

/// The page as a picture, with the places of its words. Errors: file_damaged (also: it has fewer pages),
/// file_encrypted.
[[nodiscard]] Result<PagePicture> draw_page(const PictureRequest& request);

/// The words of all pages with their places, as draw_page would give them: none after kMostWordsOfFile.
/// Errors: file_damaged, file_encrypted.
[[nodiscard]] Result<std::vector<PageWords>> place_words(std::string_view bytes);

}  // namespace akin::extract
