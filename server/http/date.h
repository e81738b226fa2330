#pragma once

#include <chrono>
#include <string>

namespace akin::http {

/// The format of the Date field: "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7), in any locale.
[[nodiscard]] std::string http_date(std::chrono::system_clock::time_point time);

}  // namespace akin::http
