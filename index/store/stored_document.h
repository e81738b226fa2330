// Decodes what an engine stores of a document. Errors of all functions: corrupt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/codec/sequence_codec.h"
#include "index/store/store.h"

namespace akin {

/// "document 7", for errors and findings.
[[nodiscard]] std::string name_of_document(std::int64_t number);

[[nodiscard]] Result<DocumentRecord> record_of(std::string_view bytes, std::int64_t number);
[[nodiscard]] Result<StoredSequence> sequence_of(std::string_view bytes, std::int64_t number);
/// Requires a record that says that the file is kept (FileOrigin::kept_bytes).
[[nodiscard]] Result<StoredFile> file_of(std::string_view stored, const DocumentRecord& record,
                                         std::int64_t number);

}  // namespace akin
