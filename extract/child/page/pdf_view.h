// A page of a PDF as people see it.
#pragma once

#include "extract/client/picture_answer.h"

namespace akin::extract {

/// The page as a picture, with the places of its words. Errors: file_damaged (also: it has fewer pages),
/// file_encrypted.
[[nodiscard]] Result<PagePicture> draw_page(const PictureRequest& request);

}  // namespace akin::extract
