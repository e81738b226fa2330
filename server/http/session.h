// One connection, from accept to close.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <string>
#include <unordered_set>

#include "server/http/allowance.h"
#include "server/http/backend.h"
#include "server/http/fair_pool.h"
#include "server/http/probes.h"
#include "server/http/server.h"
#include "server/http/stream_exchange.h"
#include "server/http/under_way.h"
#include "server/http/wire.h"
#include "server/http/worker.h"

namespace akin::http {

/// A connection as the drain sees it.
struct Connection {
  Wire* wire = nullptr;
  bool idle = true;                  ///< no byte of a request has arrived
  StreamExchange* stream = nullptr;  ///< the stream under way
  UnderWay* work = nullptr;          ///< on its request, by a worker
};

/// A thread that runs connections. Its members are used on that thread only.
struct IoThread {
  std::unordered_set<Connection*>
      open;  ///< before the context: sessions that it destroys take themselves out of it
  boost::asio::io_context context{1};
  boost::asio::steady_timer look{context};  ///< of watch_under_way
  bool looks = false;                       ///< the timer runs
};

/// What all connections share.
struct Shared {
  const Backend& backend;
  const ServerOptions& options;
  FairWorkers* workers = nullptr;
  boost::asio::thread_pool* stream_workers = nullptr;  ///< one thread for each possible stream
  FairWorkers* hashers = nullptr;  ///< hash the secrets of unknown keys, and do nothing else
  Allowance connections;
  Allowance refusals;  ///< connections over the limit that are being refused
  FairPool queue;      ///< requests that wait for a worker or are with one
  Allowance look_ups;  ///< of keys in a database, by workers
  Allowance hashing;   ///< requests that wait for a hasher or are with one
  FairPool streams;
  FairPool bodies;                            ///< bytes in memory
  FairPool answers;                           ///< the same
  FairPool work;                              ///< the same, for what requests' work takes besides
  std::shared_ptr<metrics::Metrics> metrics;  ///< never null
  Probes probes = {};
  std::string exhausted;  ///< the whole answer of a server without memory, made while there is some
  std::atomic<bool> draining = false;
};

/// An accepted connection.
struct Arrival {
  boost::asio::ip::tcp::socket socket;
  std::shared_ptr<boost::asio::ssl::context> tls;  ///< null: plain
  AllowancePart place;
  AddressPlace of_address;
};

/// Serves requests until the client closes, breaks a rule or exceeds a time-out, or the server drains. Runs
/// on `thread`; gives the places back when it ends.
[[nodiscard]] boost::asio::awaitable<void> run_session(Arrival arrival, Shared& shared, IoThread& thread);

/// Answers that there are too many connections, and closes.
[[nodiscard]] boost::asio::awaitable<void> refuse_connection(boost::asio::ip::tcp::socket socket,
                                                             const ServerOptions& options,
                                                             AllowancePart place);

}  // namespace akin::http
