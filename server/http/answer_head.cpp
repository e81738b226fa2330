#include "server/http/answer_head.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <chrono>

#include "base/per_thread.h"
#include "server/http/date.h"

namespace akin::http {

namespace {

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
