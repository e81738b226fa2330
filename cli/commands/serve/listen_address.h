// HOST:PORT as `akin serve --listen` takes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::cli {

struct ListenAddress {
  std::string host;  ///< without brackets
  std::uint16_t port = 0;
};

/// Reads "127.0.0.1:7878", "localhost:7878" or "[::1]:7878". Error: invalid_argument.
[[nodiscard]] Result<ListenAddress> parse_listen_address(std::string_view text);

/// The URL of a host and port: an IPv6 address is put in brackets.
[[nodiscard]] std::string listen_url(const ListenAddress& address, bool tls);

}  // namespace akin::cli
