// Document records as bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/store/store.h"

namespace akin {

/// The record's bytes with their checksum: one encoding for each record.
[[nodiscard]] std::string encode_record(const DocumentRecord& record);

/// Changes the revision in a record's bytes, and their checksum. Requires bytes of encode_record.
void set_revision(std::string& bytes, Revision revision);

/// Nothing if the bytes are not those that encode_record writes; never reads beyond them.
[[nodiscard]] std::optional<DocumentRecord> decode_record(std::string_view bytes);

}  // namespace akin
