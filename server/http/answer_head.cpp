#include "server/http/answer_head.h"

#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "base/per_thread.h"

namespace akin::http {

namespace {

/// The format of the Date field: "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7), in any locale.
std::string http_date(std::chrono::system_clock::time_point time) {
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  using std::chrono::floor;
  const auto midnight = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::seconds>(time - midnight));
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT",
                kDays[std::chrono::weekday(midnight).c_encoding()], static_cast<unsigned>(date.day()),
                kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

struct Date {
  std::chrono::sys_seconds formatted{};
  std::string text;
};

/// Formatted once a second.
const std::string& date_now() {
  using std::chrono::floor;
  using std::chrono::seconds;
  auto& [formatted, text] = PerThread<Date>::get();
  const auto now = floor<seconds>(std::chrono::system_clock::now());
  if (text.empty() || now != formatted) {
    text = http_date(now);
    formatted = now;
  }
  return text;
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ");
  // A value must never end its field, whatever the handler put there.
  for (const char c : value) text += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
  text += "\r\n";
}

}  // namespace

std::string answer_head(const api::Response& response, const AnswerHead& head) {
  std::string text;
  text.reserve(384);
  const auto reason = boost::beast::http::obsolete_reason(
      boost::beast::http::int_to_status(static_cast<unsigned>(response.status)));
  text.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  text.append(reason.data(), reason.size()).append("\r\nServer: akin\r\nDate: ").append(date_now());
  text += "\r\nX-Content-Type-Options: nosniff\r\n";
  bool typed = false;
  for (const auto& [name, value] : response.headers) {
    append_field(text, name, value);
    typed = typed || boost::beast::iequals(name, "content-type");
  }
  if (!typed && response.status != 204) append_field(text, "Content-Type", api::kJsonType);
  append_field(text, "X-Request-Id", head.id);
  // A 204 has no body and no length (RFC 9110, 8.6).
  if (!head.length) {
    if (head.keep_open) text += "Transfer-Encoding: chunked\r\n";
  } else if (response.status != 204) {
    append_field(text, "Content-Length", std::to_string(*head.length));
  }
  if (!head.keep_open) text += "Connection: close\r\n";
  text += "\r\n";
  return text;
}

}  // namespace akin::http
