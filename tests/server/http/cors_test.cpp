// Pages of other origins: no CORS headers unless they are configured.

#include <gtest/gtest.h>

#include <string>

#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

class HttpCors : public HttpTest {
 protected:
  void serve(std::vector<std::string> origins) {
    auto options = quick_options();
    options.cors_origins = std::move(origins);
    start(options);
  }
  std::optional<HttpAnswer> get(const std::string& origin) const {
    HttpClient client(server_->port());
    client.send(request("GET", "/livez", {}, {}, "Origin: " + origin + "\r\n"));
    return client.receive();
  }
  std::optional<HttpAnswer> preflight(const std::string& origin) const {
    HttpClient client(server_->port());
    client.send(request("OPTIONS", "/v1/compare", {}, {},
                        "Origin: " + origin + "\r\nAccess-Control-Request-Method: POST\r\n"));
    return client.receive();
  }
};

TEST_F(HttpCors, IsOffByDefault) {
  serve({});
  for (const auto& answer : {get("http://a"), preflight("http://a")}) {
    EXPECT_EQ(answer->header("access-control-allow-origin"), "");
    EXPECT_EQ(answer->header("vary"), "");
  }
  EXPECT_EQ(preflight("http://a")->status, 405);
}

TEST_F(HttpCors, AllowedOriginIsNamed) {
  serve({"http://a", "http://b"});
  const auto answer = get("http://b");
  EXPECT_EQ(answer->header("access-control-allow-origin"), "http://b");
  EXPECT_EQ(answer->header("vary"), "Origin");
}

TEST_F(HttpCors, OtherOriginIsNot) {
  serve({"http://a"});
  for (const auto* other : {"http://ab", "https://a", "http://a:80", "null"}) {
    const auto answer = get(other);
    EXPECT_EQ(answer->status, 200) << other;
    EXPECT_EQ(answer->header("access-control-allow-origin"), "") << other;
    EXPECT_EQ(answer->header("vary"), "Origin") << other;
  }
}

TEST_F(HttpCors, StarAllowsAll) {
  serve({"*"});
  EXPECT_EQ(get("http://any")->header("access-control-allow-origin"), "*");
}

TEST_F(HttpCors, PreflightIsAnswered) {
  serve({"http://a"});
  const auto answer = preflight("http://a");
  EXPECT_EQ(answer->status, 204);
  EXPECT_EQ(answer->header("access-control-allow-origin"), "http://a");
  EXPECT_NE(answer->header("access-control-allow-methods").find("POST"), std::string::npos);
  EXPECT_EQ(preflight("http://b")->status, 405);
}

}  // namespace
}  // namespace akin::test
