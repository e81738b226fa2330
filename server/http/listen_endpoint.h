// The endpoint that a server listens on.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include "base/error.h"
#include "server/http/server.h"

namespace akin::http {

/// The host and port of the options. Error: invalid_argument.
[[nodiscard]] Result<boost::asio::ip::tcp::endpoint> listen_endpoint(const ServerOptions& options);

/// Whether a server may listen at this address. Error: that of reachable_without_keys.
[[nodiscard]] Result<void> check_reach(const ServerOptions& options, const boost::asio::ip::address& address);

/// The error of a socket that cannot be opened there.
[[nodiscard]] Error cannot_listen(const ServerOptions& options, const boost::system::error_code& failure);

}  // namespace akin::http
