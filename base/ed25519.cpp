#include "base/ed25519.h"

#include <openssl/evp.h>

#include <cstddef>
#include <memory>

namespace akin {

namespace {

constexpr std::size_t kKeyBytes = 32, kSignatureBytes = 64;

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Error no_keys() { return Error{Errc::io, "signing key", "OpenSSL makes none", "check /dev/urandom"}; }

}  // namespace

Result<Ed25519Keys> make_ed25519_keys() {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  Ed25519Keys keys{std::string(kKeyBytes, '\0'), std::string(kKeyBytes, '\0')};
  std::size_t secret = kKeyBytes, open = kKeyBytes;
  if (key == nullptr || EVP_PKEY_get_raw_private_key(key.get(), bytes_of(keys.secret), &secret) != 1 ||
      EVP_PKEY_get_raw_public_key(key.get(), bytes_of(keys.open), &open) != 1)
    return no_keys();
  return keys;
}

Result<std::string> sign_ed25519(std::string_view secret, std::string_view message) {
  const Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(secret), secret.size()),
                EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string signature(kSignatureBytes, '\0');
  std::size_t size = kSignatureBytes;
  if (key == nullptr || context == nullptr ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), bytes_of(signature), &size, bytes_of(message), message.size()) != 1)
    return Error{Errc::corrupt, "signing key", "it is not one of Ed25519", "make a new one"};
  return signature;
}

bool is_signed_ed25519(std::string_view open, std::string_view message, std::string_view signature) noexcept {
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(open), open.size()),
                EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return key != nullptr && context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message),
                          message.size()) == 1;
}

}  // namespace akin
