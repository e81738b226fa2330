#include "server/access/secrets.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstdint>

#include "base/base64.h"

namespace akin::access {

namespace {

constexpr std::size_t kHashBytes = 32;

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Result<std::string> random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(bytes_of(bytes), static_cast<int>(count)) == 1) return bytes;
  return Error{Errc::io, "random numbers", "the system gives none", "check /dev/urandom"};
}

Result<std::string> scrypt(std::string_view secret, std::string_view salt) {
  constexpr std::uint64_t kN = 1U << 14U;
  constexpr std::uint64_t kR = 8;
  constexpr std::uint64_t kP = 1;
  constexpr std::uint64_t kMaxMemory = 64U << 20U;
  std::string hash(kHashBytes, '\0');
  if (EVP_PBE_scrypt(secret.data(), secret.size(), bytes_of(salt), salt.size(), kN, kR, kP, kMaxMemory,
                     bytes_of(hash), hash.size()) == 1) {
    return hash;
  }
  return Error{Errc::busy, "access key", "not enough memory to check it", "try again later"};
}

std::string hmac_sha256(std::string_view key, std::string_view message) {
  std::string hash(kHashBytes, '\0');
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(message), message.size(),
       bytes_of(hash), &size);
  return hash;
}

bool equal_secrets(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string base64url(std::string_view bytes) {
  std::string text = base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

}  // namespace akin::access
