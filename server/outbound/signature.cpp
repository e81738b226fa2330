#include "server/outbound/signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <array>

#include "base/hex.h"

namespace akin::watch {

namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr std::size_t kMinKey = 24;
constexpr std::size_t kMaxKey = 64;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string base64(const unsigned char* bytes, std::size_t size) {
  std::string text((size + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock ends with a zero
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace

Result<std::string> secret_key(std::string_view secret) {
  const Error wrong{Errc::invalid_argument, "field 'webhook.secret'",
                    "is not 'whsec_' and 24 to 64 bytes in base64",
                    "create one: echo whsec_$(head -c 32 /dev/urandom | base64)"};
  if (!secret.starts_with(kPrefix)) return wrong;
  const std::string_view encoded = secret.substr(kPrefix.size());
  if (encoded.empty() || encoded.size() % 4 != 0 || encoded.size() > (kMaxKey + 2) / 3 * 4) return wrong;
  std::string key(encoded.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(key.data()), bytes_of(encoded),
                                     static_cast<int>(encoded.size()));
  if (length < 0) return wrong;
  // EVP_DecodeBlock counts the padding as bytes.
  const std::size_t padding = encoded.ends_with("==") ? 2 : encoded.ends_with("=") ? 1 : 0;
  key.resize(static_cast<std::size_t>(length) - padding);
  // It also takes white space, and padding in the middle: only what encodes to the same text is base64.
  if (base64(bytes_of(key), key.size()) != encoded) return wrong;
  if (key.size() < kMinKey || key.size() > kMaxKey) return wrong;
  return key;
}

std::string signature(std::string_view key, std::string_view id, std::string_view timestamp,
                      std::string_view body) {
  std::string signed_text(id);
  signed_text.append(".").append(timestamp).append(".").append(body);
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(signed_text), signed_text.size(),
       mac.data(), &size);
  return "v1," + base64(mac.data(), size);
}

}  // namespace akin::watch
