// What the server tells on stderr, one line each: requests answered and what went wrong. Never a document's
// text, never a query string (a title may stand there). Lines below a warning are written together, within a
// second.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace akin::http {

struct LogOptions {
  bool json = false;           ///< one object a line
  std::string level = "info";  ///< debug, info, warning, error or off
};

/// Before anything is told.
void configure_log(const LogOptions& options);

/// What a request's time went into, in the order in which it passes through them.
enum class Phase { header, admit, body, queue, handler, write };
inline constexpr std::size_t kPhases = 6;

struct AccessEntry {
  std::string_view method;
  std::string_view
      target;              ///< as sent; what follows '?' is left out, what is not printable ASCII is replaced
  std::string_view route;  ///< pattern; empty: none matched
  std::string_view id;     ///< of the request
  std::string_view peer;   ///< the client's address
  std::string_view key;    ///< id of the access key that let it in; empty: none was needed, or it was refused
  int status = 0;
  std::chrono::microseconds duration{};  ///< from the request's first byte to the answer's last
  std::size_t bytes_in = 0;              ///< body of the request, as sent
  std::size_t bytes_out = 0;             ///< answer, with its head
  std::array<std::chrono::microseconds, kPhases> phases{};
};

void log_access(const AccessEntry& entry);
/// A warning that the request was slow, and which phase made it so.
void log_slow(const AccessEntry& entry);
void log_info(std::string_view message);
void log_warning(std::string_view message);
/// Writes what was told so far.
void flush_log();

}  // namespace akin::http
