// HTTPS: certificates made for the test, replaced while the server runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "server/http/log.h"
#include "server/http/tls.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Connects, shakes hands by the versions of TLS that are given, and knows the certificate's name.
class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port, int newest = TLS1_3_VERSION, const char* ciphers = "ALL")
      : tcp_(port), context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_.get(), newest);
    SSL_CTX_set_cipher_list(context_.get(), ciphers);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_fd(ssl_.get(), tcp_.descriptor());
    connected_ = SSL_connect(ssl_.get()) == 1;
  }
  [[nodiscard]] bool connected() const { return connected_; }
  [[nodiscard]] std::string certificate_name() const {
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(SSL_get1_peer_certificate(ssl_.get()),
                                                                  X509_free);
    std::string name(100, '\0');
    const int length = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName,
                                                 name.data(), static_cast<int>(name.size()));
    name.resize(static_cast<std::size_t>(std::max(length, 0)));
    return name;
  }
  /// The answer's bytes until `end` has come.
  std::string ask(const std::string& bytes, const std::string& end) {
    SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
    std::string answer;
    std::string part(65536, '\0');
    while (answer.find(end) == std::string::npos) {
      const int got = SSL_read(ssl_.get(), part.data(), static_cast<int>(part.size()));
      if (got <= 0) break;
      answer.append(part, 0, static_cast<std::size_t>(got));
    }
    return answer;
  }

 private:
  HttpClient tcp_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_{nullptr, SSL_free};
  bool connected_ = false;
};

class HttpTls : public HttpTest {
 protected:
  /// A certificate with this name, in place of the former.
  void make_certificate(const std::string& name, int days = 1) {
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days " +
        std::to_string(days) + " -subj /CN=" + name + " -keyout '" + files_.key.string() + "' -out '" +
        files_.certificate.string() + "' 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  /// Leaves the signature, which a server does not verify, as it was.
  void end_certificate_in(int seconds) const {
    const std::unique_ptr<BIO, decltype(&BIO_free)> file(BIO_new_file(files_.certificate.c_str(), "r+"),
                                                         BIO_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(
        PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr), X509_free);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds);
    i2d_re_X509_tbs(certificate.get(), nullptr);  // or the old bytes are written
    BIO_reset(file.get());
    PEM_write_bio_X509(file.get(), certificate.get());
  }
  void serve(http::ServerOptions options = quick_options()) {
    options.tls = files_;
    start(options);
  }
  /// Waits for what a signal does.
  [[nodiscard]] bool comes_to_serve(const std::string& name) const {
    for (int attempt = 0; attempt < 100; ++attempt) {
      if (TlsClient(server_->port()).certificate_name() == name) return true;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  }

  TemporaryFolder certificates_;
  http::TlsFiles files_{certificates_.path() / "cert.pem", certificates_.path() / "key.pem"};
};

TEST_F(HttpTls, AnswersOverTls) {
  make_certificate("one");
  serve();
  TlsClient client(server_->port());
  ASSERT_TRUE(client.connected());
  EXPECT_EQ(client.certificate_name(), "one");
  EXPECT_THAT(client.ask(request("GET", "/livez"), "alive"), HasSubstr("200 OK"));
  EXPECT_THAT(client.ask(request("GET", "/version"), "version"), HasSubstr("200 OK")) << "kept alive";
}

TEST_F(HttpTls, LargeBodiesPassBothWays) {
  make_certificate("one");
  serve();
  TlsClient client(server_->port());
  client.ask(request("PUT", "/v1/collections/c"), "}\n");
  const std::string text = sentences(1, 10'000);
  EXPECT_THAT(client.ask(request("PUT", "/v1/collections/c/documents/a", kText, text), "}\n"),
              HasSubstr("201"));
  EXPECT_THAT(client.ask(request("GET", "/v1/collections/c/documents/a"), "}\n"), HasSubstr(text));
}

TEST_F(HttpTls, OldVersionsAreRefused) {
  make_certificate("one");
  serve();
  EXPECT_FALSE(TlsClient(server_->port(), TLS1_1_VERSION).connected());
  EXPECT_TRUE(TlsClient(server_->port(), TLS1_2_VERSION).connected());
}

TEST_F(HttpTls, CiphersWithoutForwardSecrecyOrAuthenticatedEncryptionAreRefused) {
  make_certificate("one");
  serve();
  EXPECT_TRUE(TlsClient(server_->port(), TLS1_2_VERSION, "ECDHE+AESGCM").connected());
  EXPECT_FALSE(TlsClient(server_->port(), TLS1_2_VERSION, "ECDHE-ECDSA-AES256-SHA384").connected()) << "CBC";
  EXPECT_FALSE(TlsClient(server_->port(), TLS1_2_VERSION, "kRSA").connected());
}

TEST_F(HttpTls, PlainHttpIsClosed) {
  make_certificate("one");
  serve();
  HttpClient plain(server_->port());
  plain.send(request("GET", "/livez"));
  EXPECT_FALSE(plain.receive());
  EXPECT_TRUE(TlsClient(server_->port()).connected()) << "and the server goes on";
}

TEST_F(HttpTls, HandshakeHasTheTimeOfAHeader) {
  make_certificate("one");
  auto options = quick_options();
  options.header_timeout = 100ms;
  serve(options);
  HttpClient silent(server_->port());
  EXPECT_TRUE(silent.closed());
}

TEST_F(HttpTls, SighupTakesTheNewCertificateAndKeepsConnections) {
  make_certificate("one");
  serve();
  TlsClient before(server_->port());
  ASSERT_THAT(before.ask(request("GET", "/livez"), "alive"), HasSubstr("200"));
  make_certificate("two");
  std::raise(SIGHUP);
  EXPECT_TRUE(comes_to_serve("two"));
  EXPECT_THAT(before.ask(request("GET", "/livez"), "alive"), HasSubstr("200"));
}

TEST_F(HttpTls, BadNewCertificateLeavesTheOld) {
  make_certificate("one");
  serve();
  std::ofstream(files_.certificate) << "nonsense\n";
  std::raise(SIGHUP);
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(TlsClient(server_->port()).certificate_name(), "one");
  make_certificate("two");
  std::raise(SIGHUP);
  EXPECT_TRUE(comes_to_serve("two"));
}

TEST_F(HttpTls, FilesThatDoNotFitAreNamed) {
  make_certificate("one");
  const auto first_key = certificates_.path() / "first.pem";
  std::filesystem::copy_file(files_.key, first_key);
  make_certificate("two");
  auto options = quick_options();
  for (const auto& files :
       {http::TlsFiles{"/none/cert.pem", files_.key}, http::TlsFiles{files_.certificate, first_key}}) {
    options.tls = files;
    const auto served = http::serve(http::ServiceBackend(service_), options, {});
    ASSERT_TRUE(served.has_error());
    EXPECT_THAT(served.error().what, ::testing::AnyOf(HasSubstr("/none/cert.pem"), HasSubstr("first.pem")));
  }
}

TEST_F(HttpTls, AnExpiringCertificateIsWarnedOfInTime) {
  make_certificate("one", 90);
  const auto context = must(http::load_tls(files_));
  const auto warning = [&](double days) {
    const auto wrong = http::untimely_certificate(
        *context, files_,
        time_now() + std::chrono::duration_cast<Time::duration>(days * std::chrono::days(1)));
    return wrong ? wrong->reason : "";
  };
  EXPECT_LT(std::chrono::abs(http::certificate_end(*context) - time_now() - 90 * 24h), 1min);
  EXPECT_EQ(warning(0), "");
  EXPECT_EQ(warning(75.5), "");
  EXPECT_THAT(warning(76.5), HasSubstr(", in less than 14 days"));
  EXPECT_THAT(warning(86.5), HasSubstr(", in less than 14 days"));
  EXPECT_THAT(warning(87.5), HasSubstr(", in less than 3 days"));
  EXPECT_THAT(warning(90.5), HasSubstr("expired at 2"));
  EXPECT_THAT(warning(-1), HasSubstr("is not valid before 2"));
}

TEST_F(HttpTls, ACertificateForADayIsWarnedOfInItsLastQuarter) {
  make_certificate("one");
  const auto context = must(http::load_tls(files_));
  EXPECT_FALSE(http::untimely_certificate(*context, files_, time_now() + 17h));
  EXPECT_TRUE(http::untimely_certificate(*context, files_, time_now() + 19h));
}

TEST_F(HttpTls, ACertificateThatExpiresMeanwhileIsWarnedOfOnce) {
  make_certificate("one");
  testing::internal::CaptureStderr();
  serve();
  end_certificate_in(2);
  std::raise(SIGHUP);
  std::this_thread::sleep_for(5s);
  http::flush_log();
  const std::string log = testing::internal::GetCapturedStderr();
  const auto expired = log.find(": expired at 2");
  EXPECT_NE(expired, log.npos) << log;
  EXPECT_EQ(log.find(": expired at 2", expired + 1), log.npos) << log;
}

}  // namespace
}  // namespace akin::test
