// Reads files of every format as akin does, by the akin-extract of this build.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "extract/document.h"
#include "extract/ocr_options.h"

namespace akin::experiments {

/// As ingest::document_of and ingest::read_document, with plain text in any encoding. `name` decides what the
/// bytes do not: its ending .html. Errors: as those.
[[nodiscard]] Result<extract::Document> document_of_bytes(
    std::string bytes, const std::filesystem::path& name,
    extract::Sampling sampling = extract::Sampling::off);
[[nodiscard]] Result<extract::Document> document_of_file(const std::filesystem::path& file,
                                                         extract::Sampling sampling = extract::Sampling::off);

}  // namespace akin::experiments
