#include "server/http/server.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <deque>
#include <exception>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/http/answer_head.h"
#include "server/http/channel.h"
#include "server/http/check_options.h"
#include "server/http/listen_endpoint.h"
#include "server/http/log.h"
#include "server/http/service_manager.h"
#include "server/http/session.h"
#include "server/http/tls.h"
#include "server/http/work_memory.h"
#include "server/http/worker.h"

namespace akin::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::size_t kRefusals = 64;
/// Threads that hash the secrets of keys that were not seen before, and requests that may wait for them.
constexpr std::size_t kHashers = 2, kHashing = 128;
/// Threads for requests that wait for a commit, a lock or a database, beside those that work. One
/// collection's requests have half of them at most, so that a group of writes can be that large.
constexpr std::size_t kWaitingWorkers = 128;
/// Places for short work beside long work (FairWorkers).
constexpr std::size_t kFurtherWorkers = 8;
/// For requests to be answered whose work was given up.
constexpr auto kLastAnswers = std::chrono::seconds(1);
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
constexpr auto kCertificateLook = std::chrono::seconds(1);

unsigned worker_count(const ServerOptions& options) {
  constexpr unsigned kAtLeast = 2;
  return options.workers > 0 ? options.workers : std::max(kAtLeast, std::thread::hardware_concurrency());
}

std::string exhausted_answer() {
  const api::Response response = api::error_response(exhausted_memory());
  return answer_head(response, {.id = "-", .length = response.body.size()}) + response.body;
}

/// The order of the members matters: sessions left after a hard stop are destroyed with the workers and the
/// I/O threads' contexts, and still use `shared_` then.
class Server {
 public:
  Server(const Backend& backend, const ServerOptions& options)
      : options_(options),
        shared_{.backend = backend,
                .options = options,
                .connections = Allowance(options.max_connections),
                .refusals = Allowance(std::min(kRefusals, options.max_connections / 4 + 1)),
                .queue = FairPool(options.max_queued, 0),
                .look_ups = Allowance(options.max_queued),
                .hashing = Allowance(kHashing),
                .streams = FairPool(options.max_streams, options.busy_rate),
                .bodies = FairPool(options.body_memory, options.busy_rate),
                .answers = FairPool(options.answer_memory, options.busy_rate),
                .work = FairPool(options.work_memory > 0 ? options.work_memory : default_work_memory(), 0),
                .metrics = options.metrics ? options.metrics : std::make_shared<metrics::Metrics>(""),
                .exhausted = exhausted_answer()},
        addresses_(options.max_connections_per_address),
        io_threads_(options.io_threads),
        workers_({worker_count(options), kFurtherWorkers, kWaitingWorkers}),
        stream_workers_(options.max_streams),
        hashers_({.working = kHashers}) {
    shared_.workers = &workers_;
    shared_.hashers = &hashers_;
    shared_.stream_workers = &stream_workers_;
    shared_.metrics->watch_log(dropped_log_lines);
  }

  /// Opens the socket.
  Result<Listening> listen() {
    AKIN_TRY(const std::optional<int> inherited, inherited_listener());
    if (options_.tls) {
      AKIN_TRY(tls_, load_tls(*options_.tls));
      watch_certificate();
    }
    if (inherited) return listen_on(*inherited);
    error_code failure;
    AKIN_TRY(const tcp::endpoint endpoint, listen_endpoint(options_));
    AKIN_CHECK(check_reach(options_, endpoint.address()));
    acceptor_.open(endpoint.protocol(), failure);
    if (!failure) acceptor_.set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure) acceptor_.bind(endpoint, failure);
    if (!failure) acceptor_.listen(tcp::acceptor::max_listen_connections, failure);
    if (failure) return cannot_listen(options_, failure);
    return listening();
  }

  [[nodiscard]] Listening listening() const {
    const tcp::endpoint endpoint = acceptor_.local_endpoint();
    return {.port = endpoint.port(),
            .address = endpoint.address().to_string(),
            .loopback = endpoint.address().is_loopback()};
  }

  /// Uses a socket that is listening already.
  Result<Listening> listen_on(int descriptor) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
    error_code failure;
    acceptor_.assign(address.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), descriptor, failure);
    if (failure) return cannot_listen(options_, failure);
    AKIN_CHECK(check_reach(options_, acceptor_.local_endpoint().address()));
    return listening();
  }

  void run(const std::stop_token& stop) {
    asio::co_spawn(io_, accept_connections(), [](const std::exception_ptr& failure) { report(failure); });
    await_signal();
    await_reload();
    report_alive();
    {
      const std::stop_callback on_stop(stop, [this] { asio::post(io_, [this] { begin_drain(); }); });
      std::vector<std::jthread> others;
      for (std::size_t number = 1; number < io_threads_.size(); ++number) {
        others.emplace_back([this, number] {
          const auto work = asio::make_work_guard(io_threads_[number].context);
          run_context(io_threads_[number].context);
        });
      }
      run_context(io_);
      for (IoThread& thread : io_threads_) thread.context.stop();
    }
    // Nothing must wait any longer for a client that nobody reads from or writes to.
    shared_.probes.stop();
    for (IoThread& thread : io_threads_) {
      give_up_all(thread);
      for (const Connection* connection : thread.open) {
        if (connection->stream != nullptr) connection->stream->client_gone(server_ends());
      }
    }
    stream_workers_.stop();
    hashers_.stop_and_join();
    workers_.stop_and_join();
    stream_workers_.join();
  }

 private:
  /// Accepts until the server drains; a connection that cannot be taken, for want of descriptors or memory,
  /// does not end that.
  asio::awaitable<void> accept_connections() {
    for (std::size_t number = 0; !shared_.draining; ++number) {
      bool accepted = false;
      try {
        accepted = co_await accept_one(io_threads_[number % io_threads_.size()]);
      } catch (const std::exception& failure) {
        log_warning(failure.what());
      }
      if (!accepted && !shared_.draining) co_await pause();
    }
  }

  asio::awaitable<void> pause() {
    bool waited = false;
    try {
      asio::steady_timer timer(io_, kAcceptPause);
      co_await timer.async_wait(kAsTuple);
      waited = true;
    } catch (const std::exception&) {
    }
    if (!waited) wait_for_memory();
  }

  /// False if there was none to be had, for a reason that a pause may end.
  asio::awaitable<bool> accept_one(IoThread& thread) {
    auto [failure, socket] = co_await acceptor_.async_accept(thread.context, kAsTuple);
    if (shared_.draining || failure == asio::error::connection_aborted) co_return true;
    if (failure) {
      log_warning("cannot accept a connection: " + failure.message());
      co_return false;
    }
    AllowancePart connection(shared_.connections);
    error_code gone;
    const auto address = socket.remote_endpoint(gone).address();
    auto of_address = options_.proxies.trusts(address) ? std::optional<AddressPlace>(std::in_place)
                                                       : addresses_.take(address);
    if (!of_address || !connection.take(1)) {
      shared_.metrics->rejected("connections");
      AllowancePart place(shared_.refusals);
      // A client that begins with TLS would not understand plain bytes.
      if (!tls_ && place.take(1)) {
        asio::co_spawn(thread.context, refuse_connection(std::move(socket), options_, std::move(place)),
                       [](const std::exception_ptr& failed) { report(failed); });
      }
      co_return true;
    }
    asio::co_spawn(
        thread.context,
        run_session(Arrival{std::move(socket), tls_, std::move(connection), *std::move(of_address)}, shared_,
                    thread),
        [this](const std::exception_ptr& failed) {
          report(failed);
          if (shared_.draining) post_surely(io_.get_executor(), [this] { end_if_drained(); });
        });
    co_return true;
  }

  /// Runs the context until it has no more work. An exception from a handler, for want of memory, ends at
  /// most the connection that it belonged to.
  static void run_context(asio::io_context& context) noexcept {
    until_done([&context] {
      try {
        context.run();
      } catch (const std::exception& failure) {
        log_warning(failure.what());
        throw;
      }
    });
  }

  static void report(const std::exception_ptr& failure) {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& exception) {
      log_warning(std::string("a connection ended unexpectedly: ") + exception.what());
    }
  }

  void await_signal() {
    signals_.async_wait([this](const error_code& cancelled, int) {
      if (cancelled) return;
      if (shared_.draining) {
        hard_stop();
        return;
      }
      begin_drain();
      await_signal();
      end_if_drained();
    });
  }

  /// Reports while this thread runs, for a service manager that restarts a server that hangs.
  void report_alive() {
    const auto interval = alive_interval();
    if (!interval) return;
    notify_service_manager(ServiceState::alive);
    alive_timer_.expires_after(*interval);
    alive_timer_.async_wait([this](const error_code& cancelled) {
      if (!cancelled) report_alive();
    });
  }

  void await_reload() {
    reload_signal_.async_wait([this](const error_code& cancelled, int) {
      if (cancelled) return;
      notify_service_manager(ServiceState::reloading);
      reload();
      notify_service_manager(ServiceState::ready);
      await_reload();
    });
  }

  /// Open connections keep their certificate.
  void reload() {
    if (!options_.tls) {
      log_info("SIGHUP: there is no TLS certificate to reload");
      return;
    }
    auto loaded = load_tls(*options_.tls);
    if (loaded.has_error()) {
      log_warning("keeping the old TLS certificate: " + loaded.error().message());
      return;
    }
    tls_ = *std::move(loaded);
    log_info("reloaded the TLS certificate");
    certificate_warning_.clear();
    watch_certificate();
  }

  /// Warns once of each thing that is wrong with it, now and later.
  void watch_certificate() {
    shared_.metrics->load().certificate_end = std::chrono::system_clock::to_time_t(certificate_end(*tls_));
    const auto wrong = untimely_certificate(*tls_, *options_.tls, time_now());
    const std::string warning = wrong ? wrong->message() : "";
    if (warning != certificate_warning_ && wrong) log_warning(warning);
    certificate_warning_ = warning;
    certificate_timer_.expires_after(kCertificateLook);
    certificate_timer_.async_wait([this](const error_code& cancelled) {
      if (!cancelled) watch_certificate();
    });
  }

  void begin_drain() {
    if (shared_.draining.exchange(true)) return;
    notify_service_manager(ServiceState::stopping);
    if (options_.on_drain) options_.on_drain();
    log_info("stopping: " + std::to_string(shared_.connections.taken()) + " connections open");
    error_code ignored;
    acceptor_.close(ignored);
    for (IoThread& thread : io_threads_) {
      asio::post(thread.context, [&thread] { drain_connections(thread); });
    }
    drain_timer_.expires_after(options_.drain_timeout);
    drain_timer_.async_wait([this](const error_code& cancelled) {
      if (!cancelled) hard_stop();
    });
    end_if_drained();
  }

  static void drain_connections(const IoThread& thread) {
    for (const Connection* connection : thread.open) {
      if (connection->idle) connection->wire->cancel();
      if (connection->stream != nullptr) connection->stream->body_failed(server_ends());
    }
  }

  /// After the last connection, ends the remaining operations that keep the I/O context running.
  void end_if_drained() {
    if (!shared_.draining || shared_.connections.taken() > 0) return;
    error_code ignored;
    signals_.cancel(ignored);
    reload_signal_.cancel(ignored);
    alive_timer_.cancel();
    certificate_timer_.cancel();
    drain_timer_.cancel();
    io_threads_.front().look.cancel();
  }

  /// Gives up the work under way, which ends most connections with an answer, and soon after that the rest.
  void hard_stop() {
    if (std::exchange(stops_, true)) return io_.stop();
    log_warning("stopping now, without waiting for " + std::to_string(shared_.connections.taken()) +
                " connections");
    if (options_.on_hard_stop) options_.on_hard_stop();
    for (IoThread& thread : io_threads_) asio::post(thread.context, [&thread] { give_up_all(thread); });
    drain_timer_.expires_after(kLastAnswers);
    drain_timer_.async_wait([this](const error_code& cancelled) {
      if (!cancelled) io_.stop();
    });
  }

  const ServerOptions& options_;
  bool stops_ = false;  ///< work is given up
  Shared shared_;
  AddressCounts addresses_;
  std::shared_ptr<asio::ssl::context> tls_;  ///< for new connections; null: plain
  std::deque<IoThread> io_threads_;
  asio::io_context& io_ = io_threads_.front().context;  ///< accepts connections and handles the signals
  tcp::acceptor acceptor_{io_};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  asio::signal_set reload_signal_{io_, SIGHUP};
  asio::steady_timer drain_timer_{io_}, alive_timer_{io_}, certificate_timer_{io_};
  std::string certificate_warning_;  ///< the last one; empty: nothing is wrong
  FairWorkers workers_;
  asio::thread_pool stream_workers_;
  FairWorkers hashers_;
};

}  // namespace

Result<void> serve(const Backend& backend, const ServerOptions& options,
                   const std::function<void(const Listening& at)>& on_listening,
                   const std::stop_token& stop) {
  AKIN_CHECK(check_options(options));
  try {
    Server server(backend, options);
    AKIN_TRY(const Listening at, server.listen());
    if (on_listening) on_listening(at);
    server.run(stop);
  } catch (const std::exception& failure) {
    return Error{Errc::io, "HTTP server", failure.what(), "check the limits on threads and open files"};
  }
  return {};
}

}  // namespace akin::http
