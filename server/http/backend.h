// Answers the requests that arrive: the API (ServiceBackend), or a substitute in tests and benchmarks.
#pragma once

#include <optional>

#include "server/api/service.h"

namespace akin::http {

/// The functions of server/api/service.h, which documents their promises. Any thread.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual api::Endpoint endpoint_of(const api::Request& head) const = 0;
  [[nodiscard]] virtual api::AuthorizationWork authorization_work(const api::Request& head) const = 0;
  [[nodiscard]] virtual std::optional<api::Response> authorize(api::Request& head) const = 0;
  [[nodiscard]] virtual api::Response handle(const api::Request& request) const = 0;
  [[nodiscard]] virtual std::optional<api::Response> handle_stream(const api::Request& request,
                                                                   api::BodySource& body,
                                                                   api::AnswerSink& sink) const = 0;
};

}  // namespace akin::http
