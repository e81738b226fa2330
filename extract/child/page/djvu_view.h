// A page of a DjVu as people see it.
#pragma once

#include <string_view>
#include <vector>

#include "extract/client/picture_answer.h"

namespace akin::extract {

/// As draw_page and place_words, of a DjVu. Starts a thread.
[[nodiscard]] Result<PagePicture> draw_djvu_page(const PictureRequest& request);
[[nodiscard]] Result<std::vector<PageWords>> place_djvu_pages(std::string_view bytes);

}  // namespace akin::extract
