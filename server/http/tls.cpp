#include "server/http/tls.h"

#include <openssl/ssl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
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

Time time_of(const ASN1_TIME* time) {
  std::tm fields{};
  ASN1_TIME_to_tm(time, &fields);
  return std::max(Time(), Time(std::chrono::seconds(timegm(&fields))));
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

Time certificate_end(ssl::context& context) {
  return time_of(X509_get0_notAfter(SSL_CTX_get0_certificate(context.native_handle())));
}

std::optional<Error> untimely_certificate(ssl::context& context, const TlsFiles& files, Time now) {
  const Time begin = time_of(X509_get0_notBefore(SSL_CTX_get0_certificate(context.native_handle())));
  const Time end = certificate_end(context);
  const auto wrong = [&](std::string reason) {
    return Error{Errc::invalid_argument, "TLS certificate '" + files.certificate.string() + "'",
                 std::move(reason), "renew it and reload the server, or correct the clock"};
  };
  if (now < begin) return wrong("is not valid before " + format_time(begin) + ": clients refuse it");
  if (now > end) return wrong("expired at " + format_time(end) + ": clients refuse it");
  for (const int days : {3, 14}) {
    // A certificate for a few days is renewed in its last quarter.
    if (end - now < std::min<Time::duration>(std::chrono::days(days), (end - begin) / 4))
      return wrong("expires at " + format_time(end) + ", in less than " + std::to_string(days) + " days");
  }
  return {};
}

}  // namespace akin::http
