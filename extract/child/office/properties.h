// What an office document or a book says about itself, in the vocabulary of Dublin Core.
#pragma once

#include <string>
#include <string_view>

#include "extract/child/archive.h"
#include "extract/child/builder.h"
#include "extract/child/xml.h"
#include "extract/document.h"

namespace akin::extract {

/// Collects title, creator, language, date and identifier of any element of these names. Other handlers pass
/// it the events of a part of their file.
class PropertiesHandler : public XmlHandler {
 public:
  explicit PropertiesHandler(FileMetadata& into) : into_(into) {}
  void start(std::string_view name, const XmlAttributes& attributes) override;
  void end(std::string_view name) override;
  void text(std::string_view utf8) override { value_ += utf8; }

 private:
  FileMetadata& into_;
  std::string value_;
};

/// Reads what the member says, if the archive has it and it is not empty. One that cannot be read is reported
/// as part_missing: the text is what matters.
void read_properties(const Archive& archive, const std::string& member, DocumentBuilder& builder);

}  // namespace akin::extract
