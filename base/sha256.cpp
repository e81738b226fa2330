#include "base/sha256.h"

#include <openssl/sha.h>

#include "base/hex.h"

namespace akin {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  static_assert(sizeof digest == SHA256_DIGEST_LENGTH);
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

std::string hex_of(const Sha256& digest) {
  return hex_of(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

std::string sha256_hex(std::string_view bytes) { return hex_of(sha256(bytes)); }

}  // namespace akin
