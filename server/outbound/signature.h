// Signatures of webhooks, according to Standard Webhooks 1.0 (https://www.standardwebhooks.com).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::watch {

/// The key in a secret: "whsec_" and 24 to 64 bytes in base64 with its padding. Error: invalid_argument,
/// which does not repeat the secret.
[[nodiscard]] Result<std::string> secret_key(std::string_view secret);

/// "v1," and base64 of HMAC-SHA256(key, id.timestamp.body); the timestamp is in seconds since the epoch.
[[nodiscard]] std::string signature(std::string_view key, std::string_view id, std::string_view timestamp,
                                    std::string_view body);

}  // namespace akin::watch
