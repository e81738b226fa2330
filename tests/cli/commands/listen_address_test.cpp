#include "cli/commands/serve/serve_options.h"

#include <gtest/gtest.h>

namespace akin::cli {
namespace {

TEST(ListenAddress, IsReadAndGivesItsUrl) {
  const struct {
    const char* text;
    const char* host;
    std::uint16_t port;
    const char* url;
  } rows[] = {{"127.0.0.1:7878", "127.0.0.1", 7878, "http://127.0.0.1:7878"},
              {"localhost:0", "localhost", 0, "http://localhost:0"},
              {"[::1]:65535", "::1", 65535, "http://[::1]:65535"}};
  for (const auto& row : rows) {
    const auto address = parse_listen_address(row.text);
    ASSERT_TRUE(address.has_value()) << row.text;
    EXPECT_EQ(address->host, row.host);
    EXPECT_EQ(address->port, row.port);
    EXPECT_EQ(listen_url(*address, false), row.url);
  }
}

TEST(ListenAddress, OtherFormsAreRefused) {
  for (const char* text : {"", "7878", "127.0.0.1", ":7878", "[]:1", "::1:80", "host:", "host:65536",
                           "host:-1", "host:1x", "host: 1"}) {
    const auto address = parse_listen_address(text);
    ASSERT_TRUE(address.has_error()) << text;
    EXPECT_EQ(address.error().code, Errc::invalid_argument);
  }
}

}  // namespace
}  // namespace akin::cli
