// The server's log on stderr, one line each: answered requests and problems. Never contains the text of a
// document or a query string (which may contain a title). A thread of its own writes the lines. Logging
// neither waits nor throws: while nothing reads the lines, the oldest of them are dropped and counted.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace akin::http {

struct LogOptions {
  bool json = false;           ///< one object a line
  std::string level = "info";  ///< debug, info, warning, error or off
};

/// Must be called before anything is logged.
void configure_log(const LogOptions& options);

/// The phases of a request, in the order in which it passes through them.
enum class Phase { header, authorize, body, queue, handler, write };
inline constexpr std::size_t kPhases = 6;

/// The status of a client that went before its answer, as other servers log it.
inline constexpr int kClientGone = 499;

struct AccessEntry {
  std::string_view method;
  std::string_view target;  ///< as sent; without the query and the token of a link to a report, and with
                            ///< characters other than printable ASCII replaced
  std::string_view route;   ///< pattern; empty: none matched
  std::string_view id;      ///< of the request
  std::string_view peer;    ///< the client's address
  std::string_view key;  ///< id of the access key that allowed it;  empty: none was needed, or it was refused
  int status = 0;
  std::chrono::microseconds duration{};  ///< from the request's first byte to the answer's last
  std::size_t bytes_in = 0;              ///< body of the request, as sent
  std::size_t bytes_out = 0;             ///< answer, with its head
  std::array<std::chrono::microseconds, kPhases> phases{};
  std::string_view work = {};  ///< Response::work
};

void log_access(const AccessEntry& entry) noexcept;
/// Logs a warning that the request was slow, with the phase that made it slow and the work that was done.
void log_slow(const AccessEntry& entry) noexcept;
/// Logs an error with the request's id and the client's address: what kept it from being answered.
void log_trouble(const AccessEntry& entry, std::string_view trouble) noexcept;
void log_info(std::string_view message) noexcept;
void log_warning(std::string_view message) noexcept;
/// Waits until all lines are written, for at most a second.
void flush_log() noexcept;
/// Lines that were not written: nothing read them, or there was no memory for them.
[[nodiscard]] std::uint64_t dropped_log_lines() noexcept;

}  // namespace akin::http
