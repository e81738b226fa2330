// What the server tells on stderr, one line each: requests answered and what went wrong. Never a document's
// text, never a query string (a title may stand there).
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace akin::http {

struct AccessEntry {
  std::string_view method;
  std::string_view
      target;           ///< as sent; what follows '?' is left out, what is not printable ASCII is replaced
  std::string_view id;  ///< of the request
  int status = 0;
  std::chrono::microseconds duration{};  ///< from the request's first byte to the answer's last
  std::size_t bytes_in = 0;              ///< body of the request
  std::size_t bytes_out = 0;             ///< body of the answer
};

void log_access(const AccessEntry& entry);
void log_info(std::string_view message);
void log_warning(std::string_view message);

}  // namespace akin::http
