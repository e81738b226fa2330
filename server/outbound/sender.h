// Sends HTTP requests to untrusted addresses, many at a time on one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::watch {

struct SendOptions {
  std::chrono::milliseconds connect_timeout{5'000};   ///< name, connection and TLS
  std::chrono::milliseconds timeout{15'000};          ///< the whole exchange
  std::size_t answer_limit = std::size_t{64} << 10U;  ///< bytes of an answer that are read
  bool allow_private = false;         ///< also connect to addresses outside the public internet
  std::filesystem::path authorities;  ///< certificates of authorities, PEM; empty = the system's
};

struct Outgoing {
  std::string url;
  std::vector<std::string> fields;  ///< "name: value"
  std::string body;
};

/// The status, or 0 and the reason why there is none.
struct Answer {
  int status = 0;
  std::string error;

  /// Whether the receiver took it: a status of the class 2xx.
  [[nodiscard]] bool taken() const noexcept { return status >= 200 && status < 300; }
};

/// A message in JSON as Standard Webhooks 1.0 has it, signed now with the key of secret_key. Its `id` is the
/// same at each attempt.
[[nodiscard]] Outgoing signed_message(const std::string& url, const std::string& id, std::string body,
                                      std::string_view key);

/// Accepts http and https URLs with a host, no user or password, no fragment, 2048 bytes at most; none with a
/// literal address that is not public, unless private ones are allowed. Error: invalid_argument.
[[nodiscard]] Result<void> check_url(const std::string& url, bool allow_private);
/// "https://example.org:8443" from a URL that check_url accepts.
[[nodiscard]] std::string host_of(const std::string& url);

/// Follows no redirects, uses no proxy, sends no cookies; verifies certificates and the address that it
/// actually connects to. All members except wake() belong to one thread.
class Sender {
 public:
  /// Error: internal (libcurl cannot be set up).
  [[nodiscard]] static Result<std::unique_ptr<Sender>> open(const SendOptions& options);
  virtual ~Sender() = default;

  /// Begins an exchange; `ticket` identifies its answer.
  virtual void begin(std::uint64_t ticket, Outgoing outgoing) = 0;
  /// Waits for at most `patience`, less if an exchange ends or wake() is called; returns the answers so far.
  [[nodiscard]] virtual std::vector<std::pair<std::uint64_t, Answer>> wait(
      std::chrono::milliseconds patience) = 0;
  virtual void wake() noexcept = 0;
};

}  // namespace akin::watch
