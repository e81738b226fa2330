// A server behind a reverse proxy: whose fields it believes, and what it calls itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/http/check_options.h"
#include "tests/server/http/fake_backend.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using http::Proxies;
using http::PublicUrl;

PublicUrl url(std::string_view text) { return PublicUrl::parse(text).value(); }

Proxies trusting(const std::vector<std::string>& networks) {
  Proxies proxies;
  for (const std::string& network : networks) EXPECT_TRUE(proxies.trust(network).has_value()) << network;
  return proxies;
}

using Fields = std::vector<std::pair<std::string, std::string>>;

api::Request from(const std::string& peer, Fields fields) {
  api::Request request;
  request.peer = peer;
  request.headers = std::move(fields);
  return request;
}

std::string client(const Proxies& proxies, const std::string& peer, Fields fields) {
  api::Request request = from(peer, std::move(fields));
  proxies.identify(request, {});
  return request.peer;
}

TEST(TrustedProxies, AnyOtherClientIsTheOneThatConnects) {
  const Proxies proxies = trusting({"10.0.0.0/8"});
  EXPECT_EQ(client(proxies, "192.0.2.1", {{"x-forwarded-for", "198.51.100.7"}}), "192.0.2.1");
  EXPECT_EQ(client(Proxies(), "10.0.0.1", {{"x-forwarded-for", "198.51.100.7"}}), "10.0.0.1");
}

TEST(TrustedProxies, TheLastAddressThatIsNoProxyIsTheClient) {
  const Proxies proxies = trusting({"10.0.0.0/8", "127.0.0.1", "fd00::/8"});
  const auto told = [&](const std::string& chain) {
    return client(proxies, "127.0.0.1", {{"x-forwarded-for", chain}});
  };
  EXPECT_EQ(told("198.51.100.7"), "198.51.100.7");
  EXPECT_EQ(told("203.0.113.9, 198.51.100.7"), "198.51.100.7");  // the first is what the client claims
  EXPECT_EQ(told("198.51.100.7, 10.1.2.3, fd00::1"), "198.51.100.7");
  EXPECT_EQ(told("10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(told("198.51.100.7:4711"), "198.51.100.7");
  EXPECT_EQ(told("[2001:db8::1]:4711"), "2001:db8::1");
  EXPECT_EQ(told("::ffff:198.51.100.7"), "198.51.100.7");
  EXPECT_EQ(told("unknown"), "127.0.0.1");
  EXPECT_EQ(told("198.51.100.7, unknown, 10.1.2.3"), "10.1.2.3");
}

TEST(TrustedProxies, ForwardedIsReadWhereTheOtherFieldIsMissing) {
  const Proxies proxies = trusting({"127.0.0.1"});
  const std::string rfc = R"(for=203.0.113.9, for="[2001:db8::1]:80";proto=https;by=_x)";
  EXPECT_EQ(client(proxies, "127.0.0.1", {{"forwarded", rfc}}), "2001:db8::1");
  EXPECT_EQ(client(proxies, "127.0.0.1", {{"forwarded", rfc}, {"x-forwarded-for", "198.51.100.7"}}),
            "198.51.100.7");
}

TEST(TrustedProxies, AnIpv4AddressInsideAnIpv6AddressIsItself) {
  EXPECT_EQ(client(trusting({"127.0.0.1"}), "::ffff:127.0.0.1", {{"x-forwarded-for", "198.51.100.7"}}),
            "198.51.100.7");
}

TEST(TrustedProxies, APersonComesFromATrustedProxyOnly) {
  Proxies proxies = trusting({"127.0.0.1"});
  proxies.set_person_field("X-Akin-Person");
  for (const auto& [peer, person] : {std::pair("127.0.0.1", "anna"), std::pair("192.0.2.1", "")}) {
    api::Request request = from(peer, {{"x-akin-person", " anna "}});
    proxies.identify(request, {});
    EXPECT_EQ(request.person, person) << peer;
  }
}

TEST(TrustedProxies, RefusesWhatIsNoNetwork) {
  for (const auto* wrong : {"", "localhost", "10.0.0.0/33", "10.0.0", "fd00::/129", "10.0.0.0/x"}) {
    const auto trusted = Proxies().trust(wrong);
    ASSERT_TRUE(trusted.has_error()) << wrong;
    EXPECT_EQ(trusted.error().code, Errc::invalid_argument);
  }
}

TEST(PublicUrls, AreAddressesThatClientsCanUse) {
  EXPECT_EQ(url("https://Library.example:8443/akin/").authority(), "library.example:8443");
  EXPECT_EQ(url("https://library.example/a/akin/").root(), "/a/akin");
  EXPECT_EQ(url("http://library.example").root(), "");
  for (const auto* wrong : {"", "library.example", "ftp://library.example", "https://", "https://a/?b",
                            "https://a/\"b", "https://u@a/", "https://a b/"})
    EXPECT_TRUE(PublicUrl::parse(wrong).has_error()) << wrong;
}

TEST(PublicUrls, TheRootOfATargetIsTakenAway) {
  const PublicUrl akin = url("https://library.example/akin");
  EXPECT_EQ(akin.inward("/akin/v1/checks?x=/akin/"), "/v1/checks?x=/akin/");
  EXPECT_EQ(akin.inward("/v1/checks"), "/v1/checks");
  EXPECT_EQ(akin.inward("/akin"), "/");
  EXPECT_EQ(akin.inward("/akin?x"), "/?x");
  EXPECT_EQ(akin.inward("/akinetic"), "/akinetic");
  EXPECT_EQ(PublicUrl().inward("/akin/x"), "/akin/x");
}

class BehindAProxy : public HttpTest {
 protected:
  void serve(const std::string& public_url) {
    auto options = quick_options();
    options.public_url = url(public_url);
    EXPECT_TRUE(options.proxies.trust("127.0.0.1").has_value());
    start(options);
  }
};

TEST_F(BehindAProxy, OwnPathsCarryTheRoot) {
  serve("https://library.example/akin");
  HttpClient client = connect();
  EXPECT_EQ(client.ask("PUT", "/akin/v1/collections/a")->status, 201);
  const auto made = client.ask("POST", "/v1/collections/a/documents", "text/plain", "A text of a few words.");
  EXPECT_THAT(made->header("location"), testing::StartsWith("/akin/v1/collections/a/documents/"));
  EXPECT_THAT(client.ask("GET", "/akin/v1/nothing")->body,
              testing::StartsWith(R"({"type":"/akin/docs/errors#)"));
  EXPECT_THAT(client.ask("GET", "/akin/openapi.json")->body,
              testing::HasSubstr(R"("servers":[{"url":"/akin/")"));
}

TEST_F(BehindAProxy, LinksOfPagesCarryTheRoot) {
  serve("https://library.example/akin");
  const auto page = connect().ask("GET", "/akin/desk/sign-in");
  EXPECT_EQ(page->status, 200);
  EXPECT_THAT(page->body, testing::HasSubstr(R"(href="/akin/desk/desk.css")"));
  EXPECT_THAT(page->body, testing::HasSubstr(R"(action="/akin/desk/sign-in")"));
  EXPECT_THAT(page->body, testing::Not(testing::HasSubstr("\"/desk")));
  EXPECT_THAT(page->header("set-cookie"), testing::HasSubstr("; Path=/akin/desk; SameSite=Strict; Secure"));
}

TEST_F(BehindAProxy, APageOfThePublicSiteIsTheServersOwn) {
  serve("https://library.example/akin");
  HttpClient client = connect();
  const auto delete_from = [&](const std::string& origin) {
    client.send(request("DELETE", "/akin/v1/collections/a", {}, {}, "Origin: " + origin + "\r\n"));
    return client.receive()->status;
  };
  EXPECT_EQ(delete_from("https://library.example"), 404);
}

TEST_F(BehindAProxy, AServerWithoutKeysHasNoPublicUrl) {
  http::ServerOptions options;
  EXPECT_TRUE(http::check_without_keys(options).has_value());
  options.public_url = url("http://localhost:8080/akin");
  EXPECT_TRUE(http::check_without_keys(options).has_value());
  options.public_url = url("https://library.example");
  EXPECT_EQ(http::check_without_keys(options).error().code, Errc::forbidden);
}

TEST_F(BehindAProxy, ConnectionsOfAProxyAreNotCountedAsOneClients) {
  auto options = quick_options();
  options.max_connections_per_address = 1;
  EXPECT_TRUE(options.proxies.trust("127.0.0.1").has_value());
  start(options);
  HttpClient first = connect(), second = connect();
  EXPECT_EQ(first.ask("GET", "/livez")->status, 200);
  EXPECT_EQ(second.ask("GET", "/livez")->status, 200);
}

TEST_F(BehindAProxy, AStreamIsAnsweredByHttp10) {
  const auto backend = std::make_shared<FakeBackend>();
  backend->stream = [](const api::Request&, api::BodySource& body, api::AnswerSink& sink) {
    std::string bytes(16, ' ');
    EXPECT_EQ(body.read(bytes).value(), 4U);
    EXPECT_TRUE(sink.begin({.status = 200, .headers = {}, .body = {}}).has_value());
    EXPECT_TRUE(sink.write("one\n").has_value());
    EXPECT_TRUE(sink.write("two\n").has_value());
    return std::optional<api::Response>();
  };
  const RunningServer server(backend, quick_options());
  HttpClient client(server.port());
  client.send("POST /stream HTTP/1.0\r\nContent-Length: 4\r\n\r\nbody");
  EXPECT_EQ(client.receive()->body, "one\ntwo\n");
}

TEST_F(BehindAProxy, AStreamThatFailsIsNotAWholeAnswerOfHttp10) {
  const auto backend = std::make_shared<FakeBackend>();
  backend->stream = [](const api::Request&, api::BodySource&, api::AnswerSink& sink) {
    EXPECT_TRUE(sink.begin({.status = 200, .headers = {}, .body = {}}).has_value());
    EXPECT_TRUE(sink.write("half").has_value());
    return std::optional(api::Response{.status = 500, .headers = {}, .body = {}});
  };
  const RunningServer server(backend, quick_options());
  HttpClient client(server.port());
  client.send("POST /stream HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
  EXPECT_FALSE(client.receive().has_value());
}

}  // namespace
}  // namespace akin::test
