// Refuses requests that break HTTP itself.
#pragma once

#include <boost/system/error_code.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/message.h"
#include "server/http/piece_body.h"
#include "server/http/server.h"

namespace akin::http {

/// Why a request was not read. If there is no answer, the client is gone, and the connection is closed
/// silently.
struct Refusal {
  std::optional<api::Response> answer;
  const char* reason = "gone";  ///< for the metrics
};

/// The reason why admission refused a request, for the metrics, from the answer's status.
[[nodiscard]] std::string_view admission_reason(int status) noexcept;
[[nodiscard]] Refusal bad_request(std::string reason);
[[nodiscard]] Refusal body_too_large(std::size_t limit);
[[nodiscard]] Refusal no_body_memory();
/// Of a body that was cut off while others waited.
[[nodiscard]] Refusal slow_body(const ServerOptions& options);
/// The error of a transfer that was cut off while others waited.
[[nodiscard]] Error too_slow_for_others(const ServerOptions& options);

/// Translates a failed read into an answer for the client.
[[nodiscard]] Refusal refusal_of(const boost::system::error_code& failure, bool expired,
                                 const ServerOptions& options);

/// Rules of RFC 9112 and 9110 that the parser does not enforce. A body framed in two ways, or in an unknown
/// way, is how requests are smuggled past a proxy.
[[nodiscard]] std::optional<Refusal> check_header(const Parser::value_type& request,
                                                  const ServerOptions& options);

/// Whether the client waits for `100 Continue` before it sends its body (RFC 9110, section 10.1.1).
[[nodiscard]] bool awaits_continue(const Parser::value_type& request);

}  // namespace akin::http
