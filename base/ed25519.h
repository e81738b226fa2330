// Signatures by Ed25519 (RFC 8032).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// Raw keys of 32 bytes each.
struct Ed25519Keys {
  std::string secret, open;
};

/// Error: io (no randomness).
[[nodiscard]] Result<Ed25519Keys> make_ed25519_keys();

/// 64 bytes. Error: corrupt (not a secret key).
[[nodiscard]] Result<std::string> sign_ed25519(std::string_view secret, std::string_view message);

/// Whether the signature is that of the message by the owner of this key.
[[nodiscard]] bool is_signed_ed25519(std::string_view open, std::string_view message,
                                     std::string_view signature) noexcept;

}  // namespace akin
