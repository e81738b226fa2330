#include "server/http/served_stream.h"

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "base/waiting.h"
#include "server/api/boundary.h"
#include "server/http/answer_head.h"
#include "server/http/cors.h"
#include "server/http/refusal.h"
#include "server/http/stream_source.h"
#include "server/http/work_memory.h"
#include "server/http/worker.h"

namespace akin::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kCapacity = std::size_t{1} << 20U;

Failure client_gone() noexcept {
  return failure_of([] { return Error{Errc::io, "HTTP request", "the client is gone", ""}; });
}

/// Read by a client that has closed only its sending side.
Failure broken_off() noexcept {
  return failure_of([] {
    return Error{Errc::io, "body of the request", "it broke off before its end",
                 "send what is not stored again"};
  });
}

Failure too_slow(const char* doing) noexcept {
  return failure_of([doing] {
    return Error{Errc::timed_out, "HTTP request", std::string("the client ") + doing + " in the time allowed",
                 "send and read it faster"};
  });
}

/// An event that any thread can raise for a coroutine that waits for it.
class Notice {
 public:
  explicit Notice(const Wire::executor_type& executor)
      : timer_(std::make_shared<asio::steady_timer>(executor)) {}

  /// On the coroutine's thread. Wakes up when `raise` is called after the wait began, at the time, and
  /// sometimes without a cause.
  asio::awaitable<void> wait(Clock::time_point until = Clock::time_point::max()) {
    timer_->expires_at(until);
    co_await timer_->async_wait(kAsTuple);
  }
  void raise_here() { timer_->cancel(); }
  [[nodiscard]] std::function<void()> raiser() const {
    return [timer = timer_] { post_surely(timer->get_executor(), [timer] { timer->cancel(); }); };
  }

 private:
  std::shared_ptr<asio::steady_timer> timer_;
};

std::string chunk(std::string_view bytes) {
  std::array<char, 18> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  std::string framed;
  framed.reserve(bytes.size() + 24);
  framed.append(size.data(), end).append("\r\n").append(bytes).append("\r\n");
  return framed;
}

class ServedStream {
 public:
  ServedStream(Shared& shared, Channel& channel, Connection& connection, const StreamRequest& request)
      : shared_(shared),
        place_(request.place),
        channel_(channel),
        connection_(connection),
        parser_(request.parser),
        room_(channel.wire().get_executor()),
        output_(channel.wire().get_executor()),
        reader_end_(channel.wire().get_executor()),
        exchange_(std::make_shared<StreamExchange>(
            kCapacity, StreamExchange::Wakers{room_.raiser(), output_.raiser(),
                                              may_keep(shared, channel, request.head.client)})) {
    connection_.stream = exchange_.get();
    channel_.count_for(&place_);
    place_.begin_transfer();
  }
  ~ServedStream() {
    place_.end_transfer();
    channel_.count_for(nullptr);
    connection_.stream = nullptr;
    exchange_->client_gone(client_gone());
  }
  ServedStream(const ServedStream&) = delete;
  ServedStream& operator=(const ServedStream&) = delete;

  asio::awaitable<StreamResult> run(const api::Request& request) {
    if (awaits_continue(parser_.get()) && !parser_.is_done()) {
      std::size_t uncounted = 0;
      if (!co_await channel_.write("HTTP/1.1 100 Continue\r\n\r\n", {}, uncounted)) co_return result_;
    }
    if (shared_.draining) exchange_->body_failed(server_ends());
    asio::co_spawn(
        channel_.wire().get_executor(), [this] { return read_body(); },
        [this](const std::exception_ptr& failure) {
          if (failure) exchange_->body_failed(Failure(exhausted_memory()));
          reader_ended_ = true;
          reader_end_.raise_here();
          output_.raise_here();
        });
    // The reader uses this object: whatever happens here, it must end first.
    bool sent = false;
    std::exception_ptr failure;
    try {
      start_worker(request);
      sent = co_await send_answer(request);
    } catch (...) {
      failure = std::current_exception();
      exchange_->client_gone(client_gone());
    }
    // The reader gets no more bytes.
    over_ = true;
    const bool body_whole = parser_.is_done();
    room_.raise_here();
    if (!reader_ended_) channel_.wire().cancel();
    while (!reader_ended_) {
      bool waits = false;
      try {
        co_await reader_end_.wait();
        waits = true;
      } catch (const std::exception&) {
      }
      if (!waits) wait_for_memory();
    }
    if (failure) std::rethrow_exception(failure);
    result_.keep_open = sent && body_whole;
    result_.linger = sent && !body_whole;
    co_return result_;
  }

 private:
  /// Memory for an answer that the client does not read yet, for as long as the exchange lives.
  static std::function<bool(std::size_t)> may_keep(Shared& shared, Channel& channel,
                                                   const std::string& client) {
    const auto kept = std::make_shared<FairPart>(
        shared.answers, client, FairPart::Transfer{.executor = channel.wire().get_executor(), .cut = [] {}});
    return [kept](std::size_t bytes) { return kept->take(bytes); };
  }

  void start_worker(const api::Request& request) {
    asio::post(*shared_.stream_workers,
               [&shared = shared_, exchange = exchange_, request, executor = channel_.wire().get_executor()] {
                 const WorkUnder under(nullptr, exchange->stop_token());
                 exchange->finish(api::answer_or_error([&]() -> std::optional<api::Response> {
                   const WorkMemory held(shared, request.client, executor);
                   const auto coding = ingest::find_coding(request.header("content-encoding").value_or(""))
                                           .value_or(ingest::Coding::identity);
                   ExchangeSource source(*exchange, coding, shared.options.stream_limit);
                   ExchangeSink sink(*exchange);
                   return shared.backend.handle_stream(request, source, sink);
                 }));
               });
  }

  asio::awaitable<void> read_body() {
    StreamExchange& exchange = *exchange_;
    Watchdog patience(channel_.wire().get_executor(),
                      [&exchange] { exchange.body_failed(too_slow("sent nothing")); });
    while (!parser_.is_done() && !over_) {
      if (!exchange.wants_bytes()) {
        co_await room_.wait();
        continue;
      }
      patience.watch_until(Clock::now() + shared_.options.body_timeout);
      const error_code failure = co_await channel_.read_more(parser_);
      patience.release();
      if (over_) co_return;
      if (failure) {
        const Refusal refusal = refusal_of(failure, false, shared_.options);
        exchange.body_failed(refusal.answer
                                 ? Failure(Error{Errc::invalid_argument, "body of the request",
                                                 failure.message(), "send HTTP/1.1 as RFC 9112 specifies it"})
                                 : broken_off());
        co_return;
      }
      // Who sends is there, even if it reads its answer later.
      if (sends_) channel_.watchdog().watch_until(Clock::now() + shared_.options.write_timeout);
      std::string& piece = parser_.get().body();
      result_.bytes_in += piece.size();
      exchange.arrived(piece);
      piece.clear();
    }
    exchange.body_ended();
  }

  /// True if all of it was sent.
  asio::awaitable<bool> send_answer(const api::Request& request) {
    bool begun = false;
    bool client_there = true;
    // Proxies written in Go (Caddy, Traefik) give up an HTTP/1.1 request whose answer begins before its end.
    const auto body_first = Clock::now() + shared_.options.body_first;
    while (true) {
      const bool holds = !begun && Clock::now() < body_first;
      auto outgoing = exchange_->take(holds);
      if (!outgoing) {
        co_await output_.wait(holds ? body_first : Clock::time_point::max());
        continue;
      }
      std::string head;
      if (outgoing->head) {
        begun = true;
        result_.status = outgoing->head->status;
        shared_.options.public_url.outward(request, *outgoing->head);
        add_cors(shared_.options.cors_origins, request, *outgoing->head);
        head = answer_head(*outgoing->head, {.id = request.id, .length = {}, .keep_open = chunked_});
      }
      std::size_t sent = 0;
      const bool frame = chunked_ && !outgoing->bytes.empty();
      const std::string bytes = frame ? chunk(outgoing->bytes) : std::move(outgoing->bytes);
      sends_ = true;
      const bool whole = !client_there || co_await channel_.write(head, bytes, sent);
      sends_ = false;
      if (!whole) {
        client_there = false;
        exchange_->client_gone(channel_.watchdog().expired() ? too_slow("took nothing") : client_gone());
      }
      result_.bytes_out += sent;
      if (outgoing->finished) break;
    }
    if (!client_there) co_return false;
    co_return co_await end_answer(request, begun);
  }

  asio::awaitable<bool> end_answer(const api::Request& request, bool begun) {
    const auto& returned = exchange_->returned();
    std::size_t sent = 0;
    if (begun) {
      // Without its last chunk, or by the reset, the client sees that the answer is incomplete.
      result_.trouble = exchange_->trouble();
      const bool incomplete = returned || place_.was_cut();
      if (incomplete && !chunked_) reset();
      if (incomplete || !chunked_) co_return false;
      co_return co_await channel_.write("0\r\n\r\n", {}, sent);
    }
    api::Response answer =
        returned
            ? *returned
            : api::error_response(Error{Errc::internal, "server", "the handler gave no answer", "report it"});
    result_.status = answer.status;
    result_.trouble = answer.trouble;
    shared_.options.public_url.outward(request, answer);
    add_cors(shared_.options.cors_origins, request, answer);
    const std::string head =
        answer_head(answer, {.id = request.id, .length = answer.body.size(), .keep_open = parser_.is_done()});
    const bool whole = co_await channel_.write(head, answer.body, sent);
    result_.bytes_out += sent;
    co_return whole;
  }

  /// Closes the connection in a way that the client cannot take for the end of an answer.
  void reset() {
    error_code ignored;
    channel_.wire().socket().set_option(asio::socket_base::linger(true, 0), ignored);
    channel_.wire().socket().close(ignored);
  }

  Shared& shared_;
  FairPart& place_;
  Channel& channel_;
  Connection& connection_;
  Parser& parser_;
  const bool chunked_ = parser_.get().version() >= 11;  ///< HTTP/1.0 ends an answer with the connection
  Notice room_, output_, reader_end_;
  std::shared_ptr<StreamExchange> exchange_;
  StreamResult result_;
  bool over_ = false;   ///< the answer is sent
  bool sends_ = false;  ///< a part of it
  bool reader_ended_ = false;
};

}  // namespace

asio::awaitable<StreamResult> run_stream(Shared& shared, Channel& channel, Connection& connection,
                                         StreamRequest request) {
  ServedStream served(shared, channel, connection, request);
  co_return co_await served.run(request.head);
}

}  // namespace akin::http
