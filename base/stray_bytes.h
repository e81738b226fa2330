// Finds bytes in a file whatever its format, also in what its format regards as free, and compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace akin {

/// How often a text occurs in a file: as it is, or with one byte for a Cyrillic letter (cyrillic_text.h), in
/// the file itself or in zstd frames (RFC 8878) that begin at any of its bytes, as far as they are whole and
/// up to 64 MiB of each. Requires a text that is not empty. Errors: io.
[[nodiscard]] Result<std::uint64_t> count_in_file(const std::filesystem::path& file, std::string_view text);

}  // namespace akin
