// Pictures of text: files of their own, and those in documents.
#pragma once

#include <string>
#include <string_view>

#include "extract/child/archive.h"
#include "extract/child/builder.h"
#include "extract/client/picture_answer.h"

namespace akin::extract {

/// Whether a document's picture of this size is taken for that of a page: half of a page of A4, or more.
[[nodiscard]] constexpr bool is_page(double width_cm, double height_cm) noexcept {
  constexpr double kA4 = 21.0 * 29.7;
  return width_cm * height_cm >= kA4 / 2;
}

/// Whether a member of a ZIP is a picture in a DOCX or ODT that may be recognized now.
[[nodiscard]] bool is_recognized_member(std::string_view lower_case_name);

/// Adds the text that a document's picture of a page shows, as Ocr::of_process() recognizes it, and reports
/// it; reports a page without text if none is recognized, or the archive does not have the member.
void add_picture_of_page(const Archive& archive, const std::string& member, DocumentBuilder& builder);

/// As draw_page (pdf_view.h), of a picture, or one of several in a TIFF, without words. Error also:
/// type_unsupported (no tesseract).
[[nodiscard]] Result<PagePicture> draw_picture(const PictureRequest& request);

}  // namespace akin::extract
