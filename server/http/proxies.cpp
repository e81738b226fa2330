#include "server/http/proxies.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/ascii.h"
#include "server/json/quoted.h"

namespace akin::http {

namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

/// An IPv4 address inside an IPv6 address as itself: a socket for both sees clients so.
ip::address unmapped(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

/// "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80", also in double quotes; nothing for a name
/// such as "unknown".
std::optional<ip::address> address_of(std::string_view node) {
  node = trimmed(trimmed(node), "\"");
  if (node.starts_with('[')) {
    node = node.substr(1, node.find(']') - 1);
  } else if (std::ranges::count(node, ':') == 1) {
    node = node.substr(0, node.find(':'));
  }
  error_code failure;
  const ip::address address = ip::make_address(node, failure);
  return failure ? std::nullopt : std::optional(unmapped(address));
}

/// The node of `for=` in an element of Forwarded; empty if it has none.
std::string_view forwarded_for(std::string_view element) {
  for (const std::string_view pair : split(element, ';')) {
    const std::string_view one = trimmed(pair);
    if (equals_ignoring_case(one.substr(0, 4), "for=")) return one.substr(4);
  }
  return {};
}

}  // namespace

Result<void> Proxies::trust(std::string_view network) {
  error_code failure;
  const std::string text(network);
  const bool is_v6 = text.find(':') != std::string::npos;
  const std::string whole = text.find('/') != std::string::npos ? text : text + (is_v6 ? "/128" : "/32");
  if (is_v6) {
    v6_.push_back(ip::make_network_v6(whole, failure));
  } else {
    v4_.push_back(ip::make_network_v4(whole, failure));
  }
  if (!failure) return {};
  return Error{Errc::invalid_argument, "trusted proxy " + json::in_quotes(network),
               "it is neither an address nor a network", "give one, as in 127.0.0.1 or 10.0.0.0/8"};
}

void Proxies::set_person_field(std::string_view name) { person_field_ = ascii_lower(name); }

bool Proxies::trusts(const ip::address& address) const {
  const ip::address plain = unmapped(address);
  const auto has = [](const auto& networks, const auto& one) {
    return std::ranges::any_of(networks, [&](const auto& network) {
      return std::decay_t<decltype(network)>(one, network.prefix_length()).canonical() == network.canonical();
    });
  };
  return plain.is_v4() ? has(v4_, plain.to_v4()) : has(v6_, plain.to_v6());
}

void Proxies::identify(api::Request& request, const PublicUrl& url) const {
  if (v4_.empty() && v6_.empty()) return;
  const auto peer = address_of(request.peer);
  if (!peer || !trusts(*peer)) return;
  std::optional<std::string> chain = request.header("x-forwarded-for");
  const bool is_rfc = !chain;
  if (is_rfc) chain = request.header("forwarded");
  const auto nodes = split(chain ? std::string_view(*chain) : std::string_view(), ',');
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const auto address = address_of(is_rfc ? forwarded_for(*node) : *node);
    if (!address) break;
    request.peer = address->to_string();
    if (!trusts(*address)) break;
  }
  if (!person_field_.empty()) request.person = trimmed(request.header(person_field_).value_or(""));
  if (url.authority().empty()) return;
  for (auto& [name, value] : request.headers) {
    if (name == "host") value = url.authority();
  }
}

}  // namespace akin::http
