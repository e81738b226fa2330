// What one connection does, from accept to close.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <unordered_set>

#include "server/http/address_counts.h"
#include "server/http/allowance.h"
#include "server/http/backend.h"
#include "server/http/server.h"
#include "server/http/stream_exchange.h"
#include "server/http/wire.h"

namespace akin::http {

/// A connection as the drain sees it.
struct Connection {
  Wire* wire = nullptr;
  bool idle = true;                  ///< no byte of a request has come
  StreamExchange* stream = nullptr;  ///< the one that is under way
};

/// A thread that runs connections. What is in it is used on that thread.
struct IoThread {
  boost::asio::io_context context{1};
  std::unordered_set<Connection*> open;
};

/// What all connections share.
struct Shared {
  const Backend& backend;
  const ServerOptions& options;
  boost::asio::thread_pool* workers = nullptr;
  boost::asio::thread_pool* stream_workers = nullptr;  ///< one thread for each stream there may be
  Allowance connections;
  Allowance refusals;  ///< connections over the limit that are being told so
  Allowance queue;
  Allowance streams;
  Allowance body_memory;
  std::shared_ptr<metrics::Metrics> metrics;  ///< never null
  std::atomic<bool> draining = false;
};

/// A connection that was accepted.
struct Arrival {
  boost::asio::ip::tcp::socket socket;
  std::shared_ptr<boost::asio::ssl::context> tls;  ///< null: plain
  Lease place;
  AddressPlace of_address;
};

/// Serves requests until the client closes, breaks a rule or a time-out, or the server drains. Runs on
/// `thread`; gives the places back at its end.
[[nodiscard]] boost::asio::awaitable<void> run_session(Arrival arrival, Shared& shared, IoThread& thread);

/// Tells a client that there are too many connections, and closes.
[[nodiscard]] boost::asio::awaitable<void> refuse_connection(boost::asio::ip::tcp::socket socket,
                                                             const ServerOptions& options, Lease lease);

}  // namespace akin::http
