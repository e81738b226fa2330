#include "cli/commands/serve/listen_address.h"

#include <charconv>

namespace akin::cli {

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const auto refuse = [&](const char* reason) {
    return Error{Errc::invalid_argument, "--listen " + std::string(text), reason,
                 "write HOST:PORT, for instance 127.0.0.1:7878 or [::1]:7878"};
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse("has no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return refuse("an IPv6 address must be in brackets");
  }
  if (host.empty()) return refuse("has no host");
  ListenAddress address;
  address.host = host;
  const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || failure != std::errc{} || end != port.data() + port.size()) {
    return refuse("the port is not a number from 0 to 65535");
  }
  return address;
}

std::string listen_url(const ListenAddress& address, bool tls) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  return (tls ? "https://" : "http://") + (ipv6 ? "[" + address.host + "]" : address.host) + ":" +
         std::to_string(address.port);
}

}  // namespace akin::cli
