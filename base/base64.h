// Bytes as text in base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace akin {

/// With its padding. Requires fewer than 1.5 GB.
[[nodiscard]] std::string base64(std::string_view bytes);
/// The bytes of a text with or without its padding; nothing if it is not base64. Requires fewer than 2 GB.
[[nodiscard]] std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace akin
