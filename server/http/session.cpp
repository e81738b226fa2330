#include "server/http/session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/access/access.h"
#include "server/api/boundary.h"
#include "server/api/desk_request.h"
#include "server/http/answer_head.h"
#include "server/http/answering.h"
#include "server/http/channel.h"
#include "server/http/cors.h"
#include "server/http/log.h"
#include "server/http/obtain.h"
#include "server/http/refusal.h"
#include "server/http/request_head.h"
#include "server/http/served_request.h"
#include "server/http/served_stream.h"
#include "server/http/worker.h"

namespace akin::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr auto kSessionLinger = std::chrono::seconds(2);

std::string address_of(const tcp::socket& socket) {
  error_code failure;
  const auto peer = socket.remote_endpoint(failure);
  return failure ? std::string() : peer.address().to_string();
}

class Session {
 public:
  Session(tcp::socket socket, std::shared_ptr<asio::ssl::context> tls, Shared& shared, IoThread& thread)
      : shared_(shared),
        thread_(thread),
        peer_(address_of(socket)),
        wire_(std::move(socket), std::move(tls)),
        channel_(wire_, shared.options),
        counted_(shared.metrics->load().connections) {
    connection_.wire = &wire_;
    thread_.open.insert(&connection_);
  }
  ~Session() { thread_.open.erase(&connection_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  asio::awaitable<void> run() {
    error_code ignored;
    wire_.socket().set_option(tcp::no_delay(true), ignored);
    if (wire_.tls() != nullptr) {
      // Plain HTTP, or nothing: a client that does not speak TLS could not read an answer either.
      channel_.watchdog().watch_until(Clock::now() + shared_.options.header_timeout);
      auto [failure] = co_await wire_.tls()->async_handshake(asio::ssl::stream_base::server, kAsTuple);
      if (failure) co_return;
    }
    bool open = true;
    while (open && !shared_.draining) {
      answers_ = false;
      bool exhausted = false;
      try {
        open = co_await channel_.await_bytes();
        if (open) open = co_await exchange();
      } catch (const std::bad_alloc&) {
        exhausted = true;
      }
      if (exhausted) {
        open = false;
        if (!answers_) co_await refuse_for_memory();
      }
      connection_.idle = true;
    }
    co_await channel_.close();
  }

 private:
  /// Answers a request that found no memory outside its handler, needing hardly any.
  asio::awaitable<void> refuse_for_memory() {
    shared_.metrics->rejected("memory");
    channel_.watchdog().release();
    std::size_t sent = 0;
    if (co_await channel_.write(shared_.exhausted, {}, sent)) co_await channel_.linger();
  }

  /// One request and its answer; true if the connection may serve another.
  asio::awaitable<bool> exchange() {
    connection_.idle = false;
    ServedRequest served(shared_);
    std::optional<Refusal> refusal = co_await read_header(served.parser);
    if (refusal && !refusal->answer) co_return false;
    served.passed(Phase::header);
    const auto& head = served.parser.get();
    served.request = received(head);
    bool stream = false;
    if (!refusal) {
      served.request.endpoint = shared_.backend.endpoint_of(served.request);
      served.response = answer_preflight(shared_.options.cors_origins, served.request);
    }
    if (!refusal && !served.response) {
      served.response = co_await authorize(served);
      served.passed(Phase::authorize);
      stream = !served.response && served.request.endpoint->delivery == api::Delivery::stream;
      if (served.request.grant) served.request.client = client_name(served.request.grant->key().id, "");
    }
    if (stream) {
      FairPart place(shared_.streams, served.request.client, stream_transfer());
      if (co_await obtain(channel_, shared_.draining, [&place] { return place.take(1); }))
        co_return co_await run_stream_of(served, place);
      served.response = busy("too many streams are being processed");
      shared_.metrics->rejected("streams");
    }
    if (!refusal && !served.response) {
      refusal = co_await read_body(served);
      if (refusal && !refusal->answer) co_return false;
      served.passed(Phase::body);
      if (!refusal) served.response = co_await answer(served);
    }
    channel_.watchdog().release();
    if (refusal) {
      shared_.metrics->rejected(refusal->reason);
      served.response = *std::move(refusal->answer);
    }
    const bool whole = !refusal && served.parser.is_done();
    // HTTP/1.0 keeps connections open only with a header field that is not sent here.
    const bool stays_open = whole && head.version() == 11 && head.keep_alive() && !shared_.draining;
    served.request.body = std::string();  // an answer may take long, and {} would keep the memory
    served.body.reset();
    const bool sent = co_await send(served, stays_open);
    served.passed(Phase::write);
    if (!refusal) served.route = served.request.endpoint->pattern;
    report(served, served.response->status, served.response->trouble);
    if (sent && !whole) co_await channel_.linger();
    co_return sent&& stays_open;
  }

  /// Answers again while the answer waits for something, and nobody works on it meanwhile.
  asio::awaitable<api::Response> answer(ServedRequest& served) {
    constexpr Clock::duration kPause = std::chrono::milliseconds(100);
    const auto begin = Clock::now();
    asio::steady_timer timer(channel_.wire().get_executor());
    for (;;) {
      api::Response response = co_await make_answer({shared_, thread_, channel_, connection_}, served);
      const Clock::duration left = begin + response.wait - Clock::now();
      if (left <= Clock::duration::zero() || shared_.draining) co_return response;
      timer.expires_after(std::min(left, kPause));
      co_await timer.async_wait(kAsTuple);
    }
  }

  asio::awaitable<bool> run_stream_of(ServedRequest& served, FairPart& place) {
    channel_.watchdog().release();
    answers_ = true;
    const metrics::Counted counted(shared_.metrics->load().streams);
    const bool keep_alive = served.parser.get().keep_alive();
    const StreamResult result =
        co_await run_stream(shared_, channel_, connection_, {served.request, served.parser, place});
    if (place.was_cut()) shared_.metrics->rejected("slow_stream");
    served.bytes_in = result.bytes_in;
    served.bytes_out = result.bytes_out;
    served.passed(Phase::handler);
    served.route = served.request.endpoint->pattern;
    report(served, result.status, result.trouble);
    if (result.linger) co_await channel_.linger();
    co_return result.keep_open&& keep_alive;
  }

  /// A stream lasts as long as its client wants: it is never logged as slow.
  void report(const ServedRequest& served, int status, const std::string& trouble) {
    using std::chrono::duration_cast;
    using std::chrono::microseconds;
    const auto duration = served.since - served.start;
    AccessEntry entry{.method = served.request.method,
                      .target = served.request.target,
                      .route = served.route,
                      .id = served.request.id,
                      .peer = served.request.peer,
                      .key = served.request.grant ? std::string_view(served.request.grant->key().id) : "",
                      .status = status,
                      .duration = duration_cast<microseconds>(duration),
                      .bytes_in = served.bytes_in,
                      .bytes_out = served.bytes_out};
    std::ranges::transform(served.phases, entry.phases.begin(),
                           [](Clock::duration time) { return duration_cast<microseconds>(time); });
    if (served.response) entry.work = served.response->work;
    log_access(entry);
    if (!trouble.empty()) log_trouble(entry, trouble);
    const auto slow = shared_.options.slow_query;
    if (served.response && slow.count() > 0 && duration >= slow) log_slow(entry);
    shared_.metrics->answered({.route = served.route,
                               .method = served.request.method,
                               .status = status,
                               .seconds = std::chrono::duration<double>(duration).count(),
                               .bytes_in = served.bytes_in,
                               .bytes_out = served.bytes_out});
  }

  /// The request as the server itself would have got it from its client, if proxies stand between them.
  api::Request received(const Parser::value_type& head) const {
    const ServerOptions& options = shared_.options;
    api::Request request = request_head(head, peer_);
    options.proxies.identify(request, options.public_url);
    request.client = client_name("", request.peer);
    request.target = options.public_url.inward(std::move(request.target));
    return request;
  }

  asio::awaitable<std::optional<Refusal>> read_header(Parser& parser) {
    parser.header_limit(static_cast<std::uint32_t>(shared_.options.header_limit));
    parser.body_limit(boost::none);  // enforced here: it depends on the target
    channel_.watchdog().watch_until(Clock::now() + shared_.options.header_timeout);
    while (!parser.is_header_done()) {
      const error_code failure = co_await channel_.read_more(parser);
      if (failure) co_return refusal_of(failure, channel_.watchdog().expired(), shared_.options);
    }
    co_return check_header(parser.get(), shared_.options);
  }

  /// The refusal of the request before its body is read, if any.
  asio::awaitable<std::optional<api::Response>> authorize(ServedRequest& served) {
    const Backend& backend = shared_.backend;
    const api::AuthorizationWork needed = backend.authorization_work(served.request);
    if (needed == api::AuthorizationWork::none) co_return counted_refusal(backend.authorize(served.request));
    channel_.watchdog().release();
    const bool hashes = needed == api::AuthorizationWork::hashing;
    AllowancePart place(hashes ? shared_.hashing : shared_.look_ups);
    if (!place.take(1)) co_return queue_full(shared_);
    const metrics::Counted counted(shared_.metrics->load().queued);
    std::optional<api::Response> refused;
    auto work = [&]() noexcept {
      refused = api::answer_or_error([&] { return backend.authorize(served.request); });
    };
    const WorkOf of{served.request.client};
    co_await run_on(hashes ? *shared_.hashers : *shared_.workers, of, work);
    co_return counted_refusal(std::move(refused));
  }

  std::optional<api::Response> counted_refusal(std::optional<api::Response> refused) {
    if (refused) shared_.metrics->rejected(admission_reason(refused->status));
    return refused;
  }

  asio::awaitable<std::optional<Refusal>> read_body(ServedRequest& served) {
    Parser& parser = served.parser;
    if (parser.is_done()) co_return std::nullopt;
    const std::size_t limit = shared_.options.body_limit;
    const auto length = parser.content_length();
    if (length && *length > limit) co_return body_too_large(limit);
    if (awaits_continue(parser.get())) {
      std::size_t uncounted = 0;
      if (!co_await channel_.write("HTTP/1.1 100 Continue\r\n\r\n", {}, uncounted)) co_return Refusal{};
    }
    std::string& body = parser.get().body();
    if (length) body.reserve(static_cast<std::size_t>(*length));
    FairPart& part = served.body.emplace(shared_.bodies, served.request.client, transfer_of(channel_));
    const Counting counting(channel_, part);
    const auto start = Clock::now();
    while (!parser.is_done()) {
      channel_.watchdog().watch_until(deadline(start, shared_.options.body_timeout, body.size()));
      const error_code failure = co_await channel_.read_more(parser);
      if (failure && part.was_cut()) co_return slow_body(shared_.options);
      if (failure) co_return refusal_of(failure, channel_.watchdog().expired(), shared_.options);
      if (body.size() > limit) co_return body_too_large(limit);
      // Memory that is reserved for an announced length is not in use before the bytes arrive.
      const std::size_t in_use = length ? body.size() : body.capacity();
      const auto take = [&part, more = in_use - std::min(in_use, part.held())] { return part.take(more); };
      if (take()) continue;
      part.end_transfer();
      if (!co_await obtain(channel_, shared_.draining, take)) co_return no_body_memory();
      part.begin_transfer();
    }
    served.bytes_in = body.size();
    served.request.body = std::move(body);
    co_return std::nullopt;
  }

  FairPart::Transfer stream_transfer() {
    return {.executor = wire_.get_executor(),
            .cut =
                [this] {
                  const ServerOptions& options = shared_.options;
                  connection_.stream->client_gone(failure_of([&] { return too_slow_for_others(options); }));
                  wire_.cancel();
                },
            .waited = [this] { return connection_.stream->waited(); }};
  }

  /// True if all of it was sent.
  asio::awaitable<bool> send(ServedRequest& served, bool keep_open) {
    api::Response& response = *served.response;
    response = api::answer_or_error([&] { return api::for_people(served.request, std::move(response)); });
    shared_.options.public_url.outward(served.request, response);
    add_cors(shared_.options.cors_origins, served.request, response);
    const std::string head = answer_head(
        response, {.id = served.request.id, .length = response.body.size(), .keep_open = keep_open});
    answers_ = true;
    const bool without_body = served.request.method == "HEAD" || response.status == 204;
    const auto body = without_body ? std::string_view() : response.body;
    if (!served.answer) co_return co_await channel_.write(head, body, served.bytes_out);
    bool sent = false;
    {
      const Counting counting(channel_, *served.answer);
      sent = co_await channel_.write(head, body, served.bytes_out);
    }
    if (!sent && served.answer->was_cut()) shared_.metrics->rejected("slow_answer");
    co_return sent;
  }

  Shared& shared_;
  IoThread& thread_;
  const std::string peer_;
  Wire wire_;
  Channel channel_;
  metrics::Counted counted_;
  Connection connection_;
  bool answers_ = false;  ///< bytes of the answer may have been sent
};

}  // namespace

asio::awaitable<void> run_session(Arrival arrival, Shared& shared, IoThread& thread) {
  {
    Session session(std::move(arrival.socket), std::move(arrival.tls), shared, thread);
    co_await session.run();
  }
  // Before the drain is notified of the last connection's end.
  arrival.place.give_back();
}

asio::awaitable<void> refuse_connection(tcp::socket socket, const ServerOptions& options,
                                        [[maybe_unused]] AllowancePart place) {
  Wire wire(std::move(socket));
  Channel channel(wire, options);
  const auto response = api::error_response(Error{Errc::busy, "server", "too many connections",
                                                  "try again in a moment, or keep one connection open"});
  channel.watchdog().watch_until(Clock::now() + kSessionLinger);
  std::size_t uncounted = 0;
  const std::string head = answer_head(response, {.id = "-", .length = response.body.size()});
  if (co_await channel.write(head, response.body, uncounted)) co_await channel.linger();
}

}  // namespace akin::http
