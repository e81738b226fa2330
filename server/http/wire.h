// The bytes of a connection, plain or through TLS. One type for both, so that sessions are compiled once.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <optional>
#include <utility>

namespace akin::http {

/// Used on the thread that runs the connection; one read and one write may be under way at once.
class Wire {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using executor_type = Socket::executor_type;
  using Tls = boost::asio::ssl::stream<Socket&>;

  explicit Wire(Socket socket) : socket_(std::move(socket)) {}
  /// Uses TLS with `context`, which it keeps.
  Wire(Socket socket, std::shared_ptr<boost::asio::ssl::context> context)
      : socket_(std::move(socket)), context_(std::move(context)) {
    if (context_) tls_.emplace(socket_, *context_);
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  [[nodiscard]] executor_type get_executor() noexcept { return socket_.get_executor(); }
  [[nodiscard]] Socket& socket() noexcept { return socket_; }
  /// Null for plain connections.
  [[nodiscard]] Tls* tls() noexcept { return tls_ ? &*tls_ : nullptr; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_read_some(buffers, std::forward<Token>(token));
    return socket_.async_read_some(buffers, std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_write_some(buffers, std::forward<Token>(token));
    return socket_.async_write_some(buffers, std::forward<Token>(token));
  }

  /// Ends the operations under way with operation_aborted.
  void cancel() {
    boost::system::error_code ignored;
    socket_.cancel(ignored);
  }

 private:
  Socket socket_;
  std::shared_ptr<boost::asio::ssl::context> context_;
  std::optional<Tls> tls_;
};

}  // namespace akin::http
