// What one connection does, from accept to close.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <unordered_set>

#include "server/api/service.h"
#include "server/http/allowance.h"
#include "server/http/server.h"

namespace akin::http {

/// A connection as the drain sees it.
struct Connection {
  boost::asio::ip::tcp::socket* socket = nullptr;
  bool idle = true;  ///< no byte of a request has come
};

/// What all connections share; used on the server's one I/O thread.
struct Shared {
  const api::Service& service;
  const ServerOptions& options;
  boost::asio::thread_pool* workers = nullptr;
  Allowance connections;
  Allowance refusals;  ///< connections over the limit that are being told so
  Allowance queue;
  Allowance body_memory;
  std::unordered_set<Connection*> open;
  bool draining = false;
};

/// Serves requests until the client closes, breaks a rule or a time-out, or the server drains. Holds `lease`
/// meanwhile.
[[nodiscard]] boost::asio::awaitable<void> run_session(boost::asio::ip::tcp::socket socket, Shared& shared,
                                                       Lease lease);

/// Tells a client that there are too many connections, and closes.
[[nodiscard]] boost::asio::awaitable<void> refuse_connection(boost::asio::ip::tcp::socket socket,
                                                             Lease lease);

}  // namespace akin::http
