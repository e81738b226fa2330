// Text fields of a PDF's forms.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "extract/child/page/pdf_page.h"

class Annot;
class Page;

namespace akin::extract {

/// The text fields of a page that show only some of their lines: a reader scrolls there, so all of their text
/// is read, although poppler draws the rest outside of where it may be seen.
class TextFields {
 public:
  /// Of a page that was drawn. `text_outside`: what was outside, in which the ends of their texts are.
  TextFields(::Page& page, const std::string& text_outside);

  [[nodiscard]] bool empty() const noexcept { return fields_.empty(); }
  /// Adds the texts to the middle of the page, a line each.
  void add_lines(PdfPage& page) const;
  /// Whether an annotation is none of `fields`, as poppler asks before it draws it.
  static bool is_other(::Annot* annotation, void* fields);

 private:
  std::vector<std::pair<const ::Annot*, std::string>> fields_;
};

}  // namespace akin::extract
