#include "server/outbound/signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <array>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/hex.h"

namespace akin::watch {

namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr std::size_t kMinKey = 24;
constexpr std::size_t kMaxKey = 64;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Result<std::string> secret_key(std::string_view secret) {
  const Error wrong{Errc::invalid_argument, "field 'webhook.secret'",
                    "is not 'whsec_' and 24 to 64 bytes in base64",
                    "create one: echo whsec_$(head -c 32 /dev/urandom | base64)"};
  if (!secret.starts_with(kPrefix)) return wrong;
  const std::string_view encoded = secret.substr(kPrefix.size());
  if (encoded.empty() || encoded.size() % 4 != 0 || encoded.size() > (kMaxKey + 2) / 3 * 4) return wrong;
  std::optional<std::string> key = bytes_of_base64(encoded);
  // Bits that no byte has may be set: only what encodes to the same text is meant.
  if (!key || base64(*key) != encoded || key->size() < kMinKey || key->size() > kMaxKey) return wrong;
  return *std::move(key);
}

std::string signature(std::string_view key, std::string_view id, std::string_view timestamp,
                      std::string_view body) {
  std::string signed_text(id);
  signed_text.append(".").append(timestamp).append(".").append(body);
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(signed_text), signed_text.size(),
       mac.data(), &size);
  return "v1," + base64({reinterpret_cast<const char*>(mac.data()), size});
}

}  // namespace akin::watch
