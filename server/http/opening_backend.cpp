#include "server/http/opening_backend.h"

#include <string_view>
#include <utility>

namespace akin::http {

namespace {

api::Response still_opening() {
  return api::error_response(
      Error{Errc::busy, "server",
            "it is still opening its dictionaries and collections, or waits for their database",
            "try again when /readyz says that it is ready"});
}

}  // namespace

void OpeningBackend::open(api::Service service) {
  owned_ = std::make_unique<const ServiceBackend>(std::move(service));
  opened_.store(owned_.get(), std::memory_order_release);
}

api::Endpoint OpeningBackend::endpoint_of(const api::Request& head) const { return api::endpoint_of(head); }

api::AdmissionWork OpeningBackend::admission_work(const api::Request& head) const {
  return opened() == nullptr ? api::AdmissionWork::none : opened()->admission_work(head);
}

// A request that passes here is either answered by the open service later, or for one of the two paths.
std::optional<api::Response> OpeningBackend::admit(api::Request& head) const {
  if (opened() != nullptr) return opened()->admit(head);
  const std::string_view path = api::endpoint_of(head).pattern;
  if (path == "/livez" || path == "/readyz") return std::nullopt;
  return still_opening();
}

api::Response OpeningBackend::handle(const api::Request& request) const {
  if (opened() != nullptr) return opened()->handle(request);
  return api::handle({.catalog = nullptr, .dictionaries = nullptr, .tasks = nullptr, .readiness = readiness_},
                     request);
}

std::optional<api::Response> OpeningBackend::handle_stream(const api::Request& request, api::BodySource& body,
                                                           api::AnswerSink& sink) const {
  return opened() != nullptr ? opened()->handle_stream(request, body, sink) : still_opening();
}

}  // namespace akin::http
