#include "server/http/service_backend.h"

#include <string_view>
#include <utility>

namespace akin::http {

ServiceBackend::ServiceBackend(std::shared_ptr<const api::Readiness> readiness)
    : closed_{.catalog = nullptr, .dictionaries = nullptr, .readiness = std::move(readiness)} {}

ServiceBackend::ServiceBackend(api::Service service) : closed_{} { open(std::move(service)); }

void ServiceBackend::open(api::Service service) {
  opened_ = std::move(service);
  service_.store(&opened_, std::memory_order_release);
}

api::Endpoint ServiceBackend::endpoint_of(const api::Request& head) const { return api::endpoint_of(head); }

api::AuthorizationWork ServiceBackend::authorization_work(const api::Request& head) const {
  return api::authorization_work(service(), head);
}

// A request that passes here is either answered by the open service later, or for one of the two paths.
std::optional<api::Response> ServiceBackend::authorize(api::Request& head) const {
  const api::Service& now = service();
  const std::string_view path = api::endpoint_of(head).pattern;
  if (&now == &opened_ || path == "/livez" || path == "/readyz") return api::authorize(now, head);
  return api::error_response(
      Error{Errc::busy, "server",
            "it is still opening its dictionaries and collections, or waits for their database",
            "try again when /readyz says that it is ready"});
}

api::Response ServiceBackend::handle(const api::Request& request) const {
  return api::handle(service(), request);
}

std::optional<api::Response> ServiceBackend::handle_stream(const api::Request& request, api::BodySource& body,
                                                           api::AnswerSink& sink) const {
  return api::handle_stream(service(), request, body, sink);
}

}  // namespace akin::http
