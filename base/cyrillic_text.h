// UTF-8 with one byte for a Cyrillic letter: what zstd compresses better and in half of the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

/// Packs a text: characters of windows-1251 become its bytes, others their UTF-8 after the byte 0x98, which
/// windows-1251 leaves undefined. False, with `packed` undefined, if the result would not be at least a
/// quarter shorter, or the text is not UTF-8.
[[nodiscard]] bool pack_cyrillic(std::string_view text, std::string& packed);

/// Undoes pack_cyrillic. Nothing if the bytes are not the packed form of a text of `text_bytes` bytes.
[[nodiscard]] std::optional<std::string> unpack_cyrillic(std::string_view packed, std::uint64_t text_bytes);

}  // namespace akin
