#include "server/access/hosts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "server/json/quoted.h"

namespace akin::access {

namespace {

constexpr const char* kRemedy =
    "start the server with --allow-host NAME, or create an access key (akin key create)";

bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' &&
                          std::ranges::all_of(text.substr(1), [](char c) { return c >= '0' && c <= '9'; }));
}

}  // namespace

bool is_loopback_address(const std::string& host) {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24U) == 127;
  in6_addr v6{};
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::optional<std::string> host_of(std::string_view authority) {
  std::string_view host, rest;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    host = authority.substr(1, end - 1);
    rest = authority.substr(end + 1);
  } else {
    host = authority.substr(0, authority.find(':'));
    rest = authority.substr(host.size());
    if (host.ends_with('.')) host.remove_suffix(1);
  }
  if (host.empty() || !is_port(rest)) return std::nullopt;
  return ascii_lower(host);
}

Hosts::Hosts(const std::vector<std::string>& names, std::vector<std::string> origins)
    : origins_(std::move(origins)) {
  for (const std::string& name : names) names_.push_back(ascii_lower(name));
}

bool Hosts::is_own(std::string_view authority) const {
  const auto host = host_of(authority);
  return host && (*host == "localhost" || is_loopback_address(*host) ||
                  std::ranges::find(names_, *host) != names_.end());
}

std::optional<Error> Hosts::check_host(std::string_view host) const {
  if (host.empty() || is_own(host)) return std::nullopt;
  return Error{Errc::forbidden, "host " + json::in_quotes(host),
               "this server has no access keys and does not answer to this name", kRemedy};
}

std::optional<Error> Hosts::check_origin(std::string_view origin) const {
  if (origin.empty()) return std::nullopt;
  const auto is_listed = [&](const std::string& listed) { return listed == "*" || listed == origin; };
  if (std::ranges::any_of(origins_, is_listed)) return std::nullopt;
  const auto scheme = origin.find("://");
  if (scheme != std::string_view::npos && is_own(origin.substr(scheme + 3))) return std::nullopt;
  return Error{Errc::forbidden, "origin " + json::in_quotes(origin),
               "this server has no access keys and accepts no requests from pages of other sites",
               "start the server with --cors-origin ORIGIN, or with --allow-host NAME for its own name, or "
               "create an access key (akin key create)"};
}

}  // namespace akin::access
