#include "tests/experiments/any_file.h"

#include <utility>

#include "base/files.h"
#include "extract/client/extractor.h"
#include "extract/formats/formats.h"
#include "server/ingest/read_document.h"

namespace akin::experiments {

Result<extract::Document> document_of_bytes(std::string bytes, const std::filesystem::path& name,
                                            extract::Sampling sampling) {
  static extract::Extractor extractor(extract::ExtractorOptions{.program = AKIN_EXTRACT_PROGRAM});
  if (extract::type_of(bytes) != extract::FileType::other) {
    AKIN_TRY(extract::Document document, extractor.read(bytes, name.string(), sampling));
    ingest::examine_text(document);
    return document;
  }
  return ingest::document_of(
      bytes, {.format = ingest::format_of(name), .encoding = std::string(extract::kAutoName)}, name.string());
}

Result<extract::Document> document_of_file(const std::filesystem::path& file, extract::Sampling sampling) {
  AKIN_TRY(std::string bytes, read_whole_file(file));
  return document_of_bytes(std::move(bytes), file, sampling);
}

}  // namespace akin::experiments
