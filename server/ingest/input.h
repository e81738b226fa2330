// Reads texts from files and from standard input.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "extract/formats/text_encoding.h"
#include "server/ingest/byte_source.h"

namespace akin::ingest {

/// The bytes of a file (or pipe) as a text in UTF-8 (decode_text): a byte order mark at the start is removed,
/// so all offsets that akin reports refer to the text after it. "-" reads standard input to its end. Errors:
/// not_found, io, invalid_argument for a folder, too_large (over kMaxTextBytes; no more than that is read),
/// as decode_text.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path,
                                            std::string_view encoding = extract::kUtf8Name);

/// The bytes of a file (or pipe), of any encoding. Errors: as read_text, except those of decode_text.
[[nodiscard]] Result<std::string> read_bytes(const std::filesystem::path& path);

/// read_text for the bytes of a source. `name` is its name in errors.
[[nodiscard]] Result<std::string> read_text(ByteSource& source, const std::string& name);

/// The name of a path in messages and output: "standard input" for "-", else the path; bytes that are not
/// UTF-8 are shown as \xNN.
[[nodiscard]] std::string display_name(const std::filesystem::path& path);

}  // namespace akin::ingest
