// Originals as bytes, texts and files. Texts: one zstd frame each, with its content size and checksum, of the
// text or, after the byte 1, of its packed form (cyrillic_text.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// The bytes of a text; frames are as in RFC 8878. Error: internal when the library refuses.
[[nodiscard]] Result<std::string> compress_text(std::string_view text);

/// The text of such bytes. Nothing if they are not those of one text of `text_bytes` bytes; allocates no more
/// than twice `text_bytes`.
[[nodiscard]] std::optional<std::string> decompress_text(std::string_view bytes, std::uint64_t text_bytes);

/// One zstd frame of any bytes, with its content size and checksum; `fast`: in less time, not as small.
/// Error: as compress_text.
[[nodiscard]] Result<std::string> compress_bytes(std::string_view bytes, bool fast = false);

/// The bytes of such a frame. Nothing if it is not one of `size` bytes; allocates no more than these.
[[nodiscard]] std::optional<std::string> decompress_bytes(std::string_view frame, std::uint64_t size);
/// The same into memory of the caller; false if it is not a frame of as many bytes.
[[nodiscard]] bool decompress_bytes(std::string_view frame, std::span<char> into);

}  // namespace akin
