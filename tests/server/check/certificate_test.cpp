#include "server/check/certificate.h"

#include <gtest/gtest.h>

#include <string>

#include "base/ed25519.h"
#include "base/hex.h"
#include "server/json/strict_json.h"
#include "server/run/replay.h"
#include "tests/server/api/service_fixture.h"
#include "tests/server/state/state_place.h"

namespace akin::test {
namespace {

using api::Json;

/// RFC 8032, section 7.1, test 2.
TEST(Ed25519, SignsAsItsStandardSays) {
  const std::string secret =
      bytes_of_hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb").value();
  const std::string open =
      bytes_of_hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c").value();
  const std::string signature = sign_ed25519(secret, "\x72").value();
  EXPECT_EQ(hex_of(std::string_view(signature)),
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
  EXPECT_TRUE(is_signed_ed25519(open, "\x72", signature));
  EXPECT_FALSE(is_signed_ed25519(open, "\x73", signature));
  EXPECT_FALSE(is_signed_ed25519("", "\x72", signature));
}

/// Over a state of LMDB or PostgreSQL.
class CertificateTest : public ServiceTest {
 protected:
  void SetUp() override {
    service_.hand_ins.reset();
    service_.state = place_.open();
    service_.checks = std::make_shared<check::Checks>(service_.state, 0);
    service_.policies = std::make_shared<check::Policies>(service_.state);
    expect(201, "PUT", "/v1/collections/books");
    put("source", sentences(0, 20));
    check_ = expect(201, "POST", "/v1/checks?collections=books", kText, sentences(10, 20));
    path_ = "/v1/checks/" + check_["id"].get<std::string>();
    certificate_ = expect(200, "GET", path_ + "/certificate");
  }
  void put(const std::string& id, const std::string& text) const {
    call("PUT", "/v1/collections/books/documents/" + id, kText, text);
  }
  [[nodiscard]] Json replayed() const {
    return api::replay(*service_.catalog, service_.state, certificate_).value();
  }
  /// What has changed, by its name.
  [[nodiscard]] std::string changed() const {
    std::string names;
    const Json all = replayed();
    for (const Json& change : all["changes"]) names += change["what"].get<std::string>() + ";";
    return names;
  }

  StatePlace place_;
  Json check_, certificate_;
  std::string path_;
};

TEST_F(CertificateTest, HasTheNumbersOfTheCheckAndAKeyThatIsListed) {
  for (const char* field : {"verdict", "share", "letters", "index", "fingerprint", "version"})
    EXPECT_EQ(certificate_[field], check_[field]) << field;
  const Json keys = expect(200, "GET", "/v1/certificate-keys")["keys"];
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0]["id"], certificate_["key"]);
  EXPECT_FALSE(keys[0].contains("secret"));
  Json unsigned_part = certificate_;
  unsigned_part.erase("signature");
  EXPECT_TRUE(is_signed_ed25519(bytes_of_hex(keys[0]["public"].get<std::string>()).value(),
                                unsigned_part.dump(),
                                bytes_of_hex(certificate_["signature"].get<std::string>()).value()));
}

TEST_F(CertificateTest, AnyChangedByteIsFound) {
  const std::string genuine = certificate_.dump();
  const check::CertificateKeys keys(service_.state);
  ASSERT_TRUE(keys.verify(certificate_).has_value());
  for (std::size_t at = 0; at < genuine.size(); ++at) {
    std::string forged = genuine;
    forged[at] = forged[at] == '1' ? '2' : '1';
    const auto object = json::parse_json(forged, json::kAnyJsonValues);
    EXPECT_TRUE(object.has_error() || keys.verify(*object).has_error())
        << at << ": " << forged.substr(at, 20);
  }
}

TEST_F(CertificateTest, ReplayedOverTheSameDataNothingHasChanged) {
  EXPECT_EQ(replayed()["same"], true);
  EXPECT_EQ(changed(), "");
  certificate_ = Json::parse(certificate_.dump(2));  // laid out otherwise
  EXPECT_EQ(changed(), "");
}

TEST_F(CertificateTest, ReplaySaysWhatHasChanged) {
  put("other", sentences(1000, 10));
  EXPECT_EQ(replayed()["same"], true);
  EXPECT_EQ(changed(), "index books;");
  expect(200, "PUT", path_ + "/decision", kJson, R"({"state":"accepted"})");
  EXPECT_EQ(changed(), "index books;decision state;decision revision;");
  put("source", sentences(1000, 10));
  EXPECT_EQ(replayed()["same"], false);
  EXPECT_EQ(replayed()["outcome"]["share"], 0.0);
  expect(200, "DELETE", path_);
  EXPECT_EQ(changed(), "check;");
  EXPECT_EQ(replayed()["outcome"], nullptr);
}

TEST_F(CertificateTest, ALogWithoutItsEntryIsFound) {
  ASSERT_TRUE(service_.state->erase_all(state::Table::audit, "").has_value());
  EXPECT_EQ(changed(), "audit log;");
}

TEST_F(CertificateTest, ANewKeySignsAndTheFormerOneVerifies) {
  const Json key = expect(201, "POST", "/v1/certificate-keys");
  EXPECT_EQ(changed(), "");
  EXPECT_EQ(expect(200, "GET", path_ + "/certificate")["key"], key["id"]);
  const Json keys = expect(200, "GET", "/v1/certificate-keys")["keys"];
  EXPECT_TRUE(keys[0]["retired"].is_string());
  EXPECT_EQ(keys[1]["retired"], nullptr);
}

TEST_F(CertificateTest, AnotherServersCertificateIsNotVerifiedHere) {
  StatePlace elsewhere;
  EXPECT_EQ(check::CertificateKeys(elsewhere.open()).verify(certificate_).error().code, Errc::not_found);
}

}  // namespace
}  // namespace akin::test
