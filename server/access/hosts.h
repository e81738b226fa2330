// Which names a browser may reach a server without access keys by, so that pages of other sites cannot use
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::access {

/// The host in "HOST", "HOST:PORT", "[IPv6]" and "[IPv6]:PORT": in lower case, without brackets and a final
/// dot. Nothing if the text has another form.
[[nodiscard]] std::optional<std::string> host_of(std::string_view authority);

/// Whether the host is an address that only its own machine reaches: 127.0.0.0/8 or ::1, without brackets.
[[nodiscard]] bool is_loopback_address(const std::string& host);

/// Refuses requests with a foreign Host (a page whose name was rebound to this machine's address) and
/// requests with a foreign Origin (a form or script of another site). Loopback addresses, "localhost", and
/// the names given are this server's own.
class Hosts {
 public:
  /// `names`: hosts without ports, in any case. `origins`: whole origins that are accepted too, "*" = all.
  Hosts(const std::vector<std::string>& names, std::vector<std::string> origins);

  /// The reason to answer 421; nothing for an own host. Requests without the field pass: browsers send it.
  [[nodiscard]] std::optional<Error> check_host(std::string_view host) const;
  /// The reason to answer 403. Requests without the field pass.
  [[nodiscard]] std::optional<Error> check_origin(std::string_view origin) const;

 private:
  [[nodiscard]] bool is_own(std::string_view authority) const;

  std::vector<std::string> names_;
  std::vector<std::string> origins_;
};

}  // namespace akin::access
