#include "server/http/tls.h"

#include <openssl/ssl.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <utility>

namespace akin::http {

namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

Error wrong_file(const char* what, const std::filesystem::path& file, const error_code& failure,
                 const char* remedy) {
  std::string thing = std::string(what) + " '" + file.string() + "'";
  if (!std::ifstream(file)) return system_error(errno, std::move(thing), "open");
  return Error{Errc::invalid_argument, std::move(thing), failure.message(), remedy};
}

}  // namespace

Result<std::shared_ptr<ssl::context>> load_tls(const TlsFiles& files) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  error_code failure;
  context->set_options(ssl::context::no_sslv2 | ssl::context::no_sslv3 | ssl::context::no_tlsv1 |
                           ssl::context::no_tlsv1_1 | ssl::context::no_compression,
                       failure);
  SSL_CTX_set_options(context->native_handle(), SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION);
  // In TLS 1.2 the ciphers with forward secrecy and authenticated encryption: no RSA key exchange, no CBC.
  SSL_CTX_set_cipher_list(context->native_handle(), "ECDHE+AESGCM:ECDHE+CHACHA20");
  context->use_certificate_chain_file(files.certificate.string(), failure);
  if (failure) {
    return wrong_file("TLS certificate", files.certificate, failure,
                      "give a file in PEM with the certificate and its chain");
  }
  context->use_private_key_file(files.key.string(), ssl::context::pem, failure);
  if (failure) {
    return wrong_file("TLS key", files.key, failure,
                      "give a file in PEM with the certificate's private key, without a password");
  }
  return context;
}

}  // namespace akin::http
