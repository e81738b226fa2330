// One connection, from accept to close.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <string>
#include <unordered_set>

#include "server/http/address_counts.h"
#include "server/http/allowance.h"
#include "server/http/backend.h"
#include "server/http/server.h"
#include "server/http/shares.h"
#include "server/http/stream_exchange.h"
#include "server/http/wire.h"
#include "server/http/worker.h"

namespace akin::http {

/// A connection as the drain sees it.
struct Connection {
  Wire* wire = nullptr;
  bool idle = true;                  ///< no byte of a request has arrived
  StreamExchange* stream = nullptr;  ///< the stream under way
};

/// A thread that runs connections. Its members are used on that thread only.
struct IoThread {
  boost::asio::io_context context{1};
  std::unordered_set<Connection*> open;
};

/// What all connections share.
struct Shared {
  const Backend& backend;
  const ServerOptions& options;
  WorkerPool* workers = nullptr;
  boost::asio::thread_pool* stream_workers = nullptr;  ///< one thread for each possible stream
  WorkerPool* hashers = nullptr;  ///< hash the secrets of unknown keys, and do nothing else
  Allowance connections;
  Allowance refusals;  ///< connections over the limit that are being refused
  Allowance queue;
  Allowance hashing;  ///< requests that wait for a hasher or are with one
  Shares streams;
  Shares bodies;                              ///< bytes in memory
  Shares answers;                             ///< the same
  std::shared_ptr<metrics::Metrics> metrics;  ///< never null
  std::string exhausted;  ///< the whole answer of a server without memory, made while there is some
  std::atomic<bool> draining = false;
};

/// An accepted connection.
struct Arrival {
  boost::asio::ip::tcp::socket socket;
  std::shared_ptr<boost::asio::ssl::context> tls;  ///< null: plain
  Lease place;
  AddressPlace of_address;
};

/// Serves requests until the client closes, breaks a rule or exceeds a time-out, or the server drains. Runs
/// on `thread`; gives the places back when it ends.
[[nodiscard]] boost::asio::awaitable<void> run_session(Arrival arrival, Shared& shared, IoThread& thread);

/// Answers that there are too many connections, and closes.
[[nodiscard]] boost::asio::awaitable<void> refuse_connection(boost::asio::ip::tcp::socket socket,
                                                             const ServerOptions& options, Lease lease);

}  // namespace akin::http
