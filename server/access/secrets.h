// Random tokens, their hashes and their comparison, all by OpenSSL.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::access {

/// Error: io if the system has no randomness.
[[nodiscard]] Result<std::string> random_bytes(std::size_t count);

/// scrypt (RFC 7914) with N 2^14, r 8, p 1: 32 bytes. Error: busy (out of memory).
[[nodiscard]] Result<std::string> scrypt(std::string_view secret, std::string_view salt);

/// HMAC-SHA256 (RFC 2104): 32 bytes.
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view message);

/// Takes a time that depends on the lengths only.
[[nodiscard]] bool equal_secrets(std::string_view left, std::string_view right) noexcept;

/// RFC 4648 section 5, without padding.
[[nodiscard]] std::string base64url(std::string_view bytes);

}  // namespace akin::access
