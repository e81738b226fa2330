// What is sent to a webhook, and where it may be.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include "server/outbound/address.h"
#include "server/outbound/sender.h"
#include "server/outbound/signature.h"

namespace akin::watch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// The example of the libraries that verify Standard Webhooks.
TEST(Signature, IsThatOfStandardWebhooks) {
  const auto key = secret_key(kSecret);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(signature(*key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(Signature, SecretsOfOtherFormsAreRefusedAndNotRepeated) {
  for (const char* secret :
       {"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_",
        "whsec_c2hvcnQ=", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa\nw",
        "whsec_MfKQ9r8GKYqrTwj=PD8ILPZIo2LaLaSw", "whsec_!fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}) {
    const auto key = secret_key(secret);
    ASSERT_TRUE(key.has_error()) << secret;
    EXPECT_EQ(key.error().code, Errc::invalid_argument);
    EXPECT_THAT(key.error().message(), Not(HasSubstr("fKQ9r8")));
  }
  EXPECT_TRUE(secret_key("whsec_" + std::string(88, 'A')).has_error());  // 66 bytes
}

bool is_public(const char* text) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  EXPECT_EQ(getaddrinfo(text, nullptr, &hints, &found), 0) << text;
  const bool open = is_public_address(*found->ai_addr);
  freeaddrinfo(found);
  return open;
}

TEST(Address, OfTheInternetIsPublic) {
  for (const char* text :
       {"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1",
        "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"}) {
    EXPECT_TRUE(is_public(text)) << text;
  }
}

TEST(Address, OfMachineNetworkOrRegistryIsNot) {
  for (const char* text : {"0.0.0.0",
                           "10.0.0.1",
                           "100.64.0.1",
                           "100.127.255.255",
                           "127.0.0.1",
                           "127.255.255.254",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.9.9",
                           "192.0.0.8",
                           "192.0.2.1",
                           "192.88.99.1",
                           "192.168.1.1",
                           "198.18.0.1",
                           "198.19.0.1",
                           "198.51.100.1",
                           "203.0.113.1",
                           "224.0.0.1",
                           "240.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "::ffff:127.0.0.1",
                           "::ffff:10.0.0.1",
                           "::127.0.0.1",
                           "64:ff9b::7f00:1",
                           "100::1",
                           "fc00::1",
                           "fd12::1",
                           "fe80::1",
                           "fec0::1",
                           "ff02::1",
                           "2001::1",
                           "2001:db8::1",
                           "2002:7f00:1::1",
                           "3fff::1"}) {
    EXPECT_FALSE(is_public(text)) << text;
  }
}

TEST(WebhookUrl, HttpAndHttpsWithAHostAreTaken) {
  for (const char* url : {"https://example.org", "http://example.org:8080/a/b?c=d", "https://8.8.8.8/x",
                          "https://[2606:4700:4700::1111]/x"}) {
    EXPECT_TRUE(check_url(url, false).has_value()) << url;
  }
}

TEST(WebhookUrl, OthersAreRefused) {
  for (const char* url :
       {"", "example.org", "/x", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org",
        "https://", "https://user@example.org/", "https://user:secret@example.org/",
        "https://example.org/#part", "http://a b/", "http://example.org/\r\nX: y"}) {
    EXPECT_TRUE(check_url(url, true).has_error()) << url;
  }
  EXPECT_TRUE(check_url("https://example.org/" + std::string(2048, 'a'), true).has_error());
}

TEST(WebhookUrl, LiteralPrivateAddressIsRefusedInAnySpelling) {
  for (const char* url : {"http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/",
                          "http://017700000001/", "http://[::1]/", "http://[::ffff:10.0.0.1]:80/",
                          "http://169.254.169.254/latest"}) {
    EXPECT_TRUE(check_url(url, false).has_error()) << url;
    EXPECT_TRUE(check_url(url, true).has_value()) << url;
  }
}

TEST(WebhookUrl, HostIsKnownBySchemeNameAndPort) {
  EXPECT_EQ(host_of("https://example.org/a"), "https://example.org:443");
  EXPECT_EQ(host_of("http://example.org:81/b"), "http://example.org:81");
}

}  // namespace
}  // namespace akin::watch
