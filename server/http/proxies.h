// Reverse proxies in front of the server, whose header fields are believed: --trusted-proxy.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/api/message.h"
#include "server/http/public_url.h"

namespace akin::http {

/// By default, no proxy is trusted.
class Proxies {
 public:
  /// An address, or a network in CIDR notation: "127.0.0.1", "10.0.0.0/8", "fd00::/8". Error:
  /// invalid_argument.
  [[nodiscard]] Result<void> trust(std::string_view network);
  /// The field in which trusted proxies send the id of the person who signed on there; empty: none.
  void set_person_field(std::string_view name);

  [[nodiscard]] bool trusts(const boost::asio::ip::address& address) const;

  /// Corrects what is known about the client of a request whose `peer` is the connection's address. From a
  /// trusted proxy: the address is the last in X-Forwarded-For, or else in Forwarded (RFC 7239), that is not
  /// a trusted proxy's too, `person` is what its field names, and Host becomes that of the public URL, if
  /// there is one. From others, these fields mean nothing.
  void identify(api::Request& request, const PublicUrl& url) const;

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
  std::string person_field_;  ///< in lower case
};

}  // namespace akin::http
