// The HTTP/1.1 server: sockets, sessions, limits and time-outs around api::handle, which does not know about
// them.
// A few threads run all connections as coroutines; a pool of workers runs the handlers, so a long
// analysis delays neither accepting nor time-outs, nor the short work of other clients (FairWorkers); work is
// given up when its client has gone; probes and streams have threads of their own, so slow clients never
// block the workers. ServerOptions bounds what a client can make the server hold; requests over a bound are
// refused with an error object: 413 (body), 431 (header), 503 (connections, queue, memory for bodies).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "server/http/backend.h"
#include "server/http/proxies.h"
#include "server/http/public_url.h"
#include "server/http/tls_files.h"
#include "server/metrics/metrics.h"

namespace akin::http {

struct ServerOptions {
  std::string host =
      "127.0.0.1";  ///< an IPv4 or IPv6 address or a name; loopback unless the caller decides otherwise
  bool reachable = false;       ///< whether it may be an address that other machines can reach
  std::optional<TlsFiles> tls;  ///< none: plain HTTP
  PublicUrl public_url;
  Proxies proxies;
  /// Origins whose pages may use the API from a browser, "*" for all.
  std::vector<std::string> cors_origins;
  std::uint16_t port = 7878;                          ///< 0 = any free port, which `on_listening` reports
  std::size_t body_limit = std::size_t{64} << 20U;    ///< bytes of one body, also when decompressed
  std::size_t header_limit = std::size_t{64} << 10U;  ///< bytes of a request line with its header fields: a
                                                      ///< filter of its longest in percent encoding fits
  std::size_t max_header_fields = 100;
  std::uint64_t stream_limit = std::uint64_t{64} << 30U;  ///< bytes of a stream's body
  std::size_t body_memory = std::size_t{512}
                            << 20U;  ///< bytes of all bodies in memory at once; >= body_limit
  /// Bytes of all answers in memory at once, which clients take; exceeded by at most one answer per worker.
  std::size_t answer_memory = std::size_t{256} << 20U;
  /// Bytes that the work of all requests takes at once, besides; 0 = half of the machine's.
  std::size_t work_memory = 0;
  /// Bytes per second below which a body, an answer or a stream is cut off while others wait for what it
  /// holds.
  std::size_t busy_rate = std::size_t{128} << 10U;
  std::size_t max_connections = 2048;
  std::size_t max_connections_per_address = 0;  ///< 0: only the total is limited; not of trusted proxies
  std::size_t max_queued = 256;                 ///< requests that wait for a worker or are with one
  std::size_t max_streams = 8;                  ///< each has a thread of its own
  unsigned io_threads = 1;                      ///< threads that run connections
  unsigned workers = 0;                         ///< handlers that run at a time; 0 = one per core, at least 2
  std::chrono::milliseconds header_timeout{10'000};  ///< from a request's first byte to the end of its header
  std::chrono::milliseconds idle_timeout{60'000};    ///< between requests on a connection
  /// For a body: the longest time without progress, and, unless it is a stream, the time after which it must
  /// have arrived at 16 KiB/s on average.
  std::chrono::milliseconds body_timeout{20'000};
  /// The answer to a stream begins when this is over, or when all of the stream or a MiB of answer is there.
  std::chrono::milliseconds body_first{10'000};
  /// The same for an answer while the client reads it.
  std::chrono::milliseconds write_timeout{60'000};
  /// For a worker's work on a request; then it is given up. 0: no limit.
  std::chrono::milliseconds request_timeout{300'000};
  std::chrono::milliseconds slow_query{
      1000};  ///< the duration from which a request is logged as slow; 0: none is
  std::shared_ptr<metrics::Metrics> metrics;  ///< null: nothing is counted
  std::function<void()> on_drain;             ///< called when the server begins to stop
  std::chrono::milliseconds drain_timeout{
      10'000};                         ///< for requests under way when the server is asked to stop
  std::function<void()> on_hard_stop;  ///< called if some last longer
};

/// Where a server listens.
struct Listening {
  std::uint16_t port = 0;
  std::string address = {};  ///< numeric, without the port
  bool loopback = false;     ///< only this machine can reach it
};

/// Listens on the socket that systemd has passed, if any, instead of on host and port. Notifies systemd of a
/// stop, of SIGHUP, and that the server is alive.
/// Serves until SIGINT, SIGTERM or a request through `stop`; then accepts no more connections, closes idle
/// ones, lets requests under way finish within `drain_timeout`, and returns. `on_listening` is called once,
/// on the caller's thread, when connections are accepted. Errors: invalid_argument (host or
/// limits), io (address in use, no permission), forbidden (not `reachable`, but not a loopback address).
[[nodiscard]] Result<void> serve(const Backend& backend, const ServerOptions& options,
                                 const std::function<void(const Listening& at)>& on_listening,
                                 const std::stop_token& stop = {});

}  // namespace akin::http
