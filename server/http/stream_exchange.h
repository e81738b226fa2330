// The exchange between a connection and the thread that works on its stream: the body's bytes one way, the
// answer's the other, both bounded.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/stream.h"

namespace akin::http {

/// The error of streams that a stop of the server ends.
[[nodiscard]] Failure server_ends() noexcept;

/// The connection's side never waits; the functions given to the constructor wake it, and are called on the
/// worker's thread; they must not throw. The worker's side waits.
class StreamExchange {
 public:
  struct Wakers {
    std::function<void()> reader;  ///< the body's buffer has room again
    std::function<void()> writer;  ///< there is something to send
    /// Whether so many bytes more of the answer may be kept for a client that sends without reading.
    std::function<bool(std::size_t)> may_keep = {};
  };
  /// What to send next.
  struct Outgoing {
    std::optional<api::Response> head;  ///< comes first, once
    std::string bytes;
    bool finished = false;  ///< the worker has returned; nothing follows
  };

  StreamExchange(std::size_t capacity, Wakers wakers) : capacity_(capacity), wakers_(std::move(wakers)) {}
  StreamExchange(const StreamExchange&) = delete;
  StreamExchange& operator=(const StreamExchange&) = delete;

  // The connection's side.

  /// Whether more of the body is wanted; if not, the reader is woken once it is.
  [[nodiscard]] bool wants_bytes();
  void arrived(std::string_view bytes);
  void body_ended();
  /// The worker gets this error after it has read the bytes before it. Only the first failure counts.
  void body_failed(Failure failure) noexcept;
  /// What to send, if anything; otherwise the writer is woken once there is something. With `body_first` that
  /// is the first bytes of the answer once the body has ended, or a buffer full of them.
  [[nodiscard]] std::optional<Outgoing> take(bool body_first);
  /// Ends both reading and writing.
  void client_gone(Failure failure) noexcept;
  /// Ends what the worker waits for beside the client (stop_of_work).
  void stop() noexcept { stop_.request_stop(); }
  [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }
  /// How long the worker has waited for the client in all: for bytes, for room, and, once it has returned,
  /// for the answer's last bytes to go. Any thread.
  [[nodiscard]] std::chrono::steady_clock::duration waited() const;
  /// What the worker returned, once Outgoing reports that it has finished.
  [[nodiscard]] const std::optional<api::Response>& returned() const noexcept { return returned_; }
  /// What the log gets of an answer that was begun; as returned().
  [[nodiscard]] const std::string& trouble() const noexcept {
    return returned_ ? returned_->trouble : trouble_;
  }

  // The worker's side.

  [[nodiscard]] Result<std::size_t> read(std::span<char> into);
  [[nodiscard]] Result<void> begin(const api::Response& head);
  [[nodiscard]] Result<void> write(std::string_view bytes);
  void trouble(std::string what);
  void finish(std::optional<api::Response> returned) noexcept;

 private:
  void wake_writer(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] bool has_room() const noexcept { return answer_bytes_ < kept_ || answer_failure_; }
  [[nodiscard]] Result<void> await_room(std::unique_lock<std::mutex>& lock);
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, const Condition& condition);

  std::stop_source stop_;
  const std::size_t capacity_;
  const Wakers wakers_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::duration waited_{};
  std::optional<std::chrono::steady_clock::time_point> waits_since_;
  std::string body_;  ///< received; not yet read from `read_` on
  std::size_t read_ = 0;
  bool body_ended_ = false;
  std::optional<Failure> body_failure_, answer_failure_;
  std::optional<api::Response> head_, returned_;
  std::string trouble_;
  std::deque<std::string> answer_;  ///< pieces of up to `capacity_` bytes
  std::size_t answer_bytes_ = 0;
  std::size_t kept_ = capacity_;  ///< bytes of the answer that may be kept
  bool only_sends_ = false;       ///< the client has not read for a while
  bool begun_ = false, finished_ = false, reader_waits_ = false, writer_waits_ = false;
};

/// The answer's end of an exchange, as the API sees it.
class ExchangeSink final : public api::AnswerSink {
 public:
  explicit ExchangeSink(StreamExchange& exchange) noexcept : exchange_(exchange) {}
  Result<void> begin(const api::Response& head) override { return exchange_.begin(head); }
  Result<void> write(std::string_view bytes) override { return exchange_.write(bytes); }
  void trouble(std::string what) override { exchange_.trouble(std::move(what)); }

 private:
  StreamExchange& exchange_;
};

}  // namespace akin::http
