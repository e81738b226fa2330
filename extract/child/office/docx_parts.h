// What one member of a DOCX takes in from others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extract/child/archive.h"
#include "extract/child/builder.h"
#include "extract/child/office/relations.h"

namespace akin::extract {

/// Files of other formats in the places of "altChunk", diagrams, charts, and pictures, each by the id of its
/// relation. What lies outside of the file has no text in it. The archive must outlive it.
class DocxParts {
 public:
  explicit DocxParts(const Archive& archive) : archive_(archive) {}

  /// The relations of this member. Error: file_damaged.
  [[nodiscard]] Result<void> open(const std::string& member);

  /// Reads HTML, MHTML, RTF, XML, plain text, or a DOCX that takes in no other. Errors: file_damaged,
  /// unsupported.
  [[nodiscard]] Result<void> read_chunk(std::string_view id, DocumentBuilder& builder) const;
  /// Reads an object that is a DOCX, and is shown with its text; others are left out.
  void read_object(std::string_view id, DocumentBuilder& builder) const;
  /// The paragraphs of a diagram, or those of a chart and the names in it. Error: file_damaged.
  [[nodiscard]] Result<std::vector<std::string>> words_of_drawing(std::string_view id) const;
  /// Recognizes it, if that is possible (add_picture_of_page).
  void read_picture(std::string_view id, DocumentBuilder& builder) const;

 private:
  const Archive& archive_;
  RelationsHandler relations_{""};
};

}  // namespace akin::extract
