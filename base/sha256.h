// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace akin {

using Sha256 = std::array<unsigned char, 32>;

[[nodiscard]] Sha256 sha256(std::string_view bytes);

/// 64 hex digits.
[[nodiscard]] std::string hex_of(const Sha256& digest);
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace akin
