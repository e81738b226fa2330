// Original texts as bytes: one zstd frame each, with its content size and checksum.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// One zstd frame (RFC 8878). Error: internal when the library refuses.
[[nodiscard]] Result<std::string> compress_text(std::string_view text);

/// The text of a frame. Nothing if the bytes are not one whole frame that declares `text_bytes` as its
/// content size and holds as much; allocates no more than `text_bytes`.
[[nodiscard]] std::optional<std::string> decompress_text(std::string_view frame, std::uint64_t text_bytes);

}  // namespace akin
