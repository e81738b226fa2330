// Answers the requests that arrive: the API, or a substitute in tests and benchmarks.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "server/api/service.h"

namespace akin::http {

/// The functions of server/api/service.h, which documents their promises. Any thread.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual api::Endpoint endpoint_of(const api::Request& head) const = 0;
  [[nodiscard]] virtual api::AdmissionWork admission_work(const api::Request& head) const = 0;
  [[nodiscard]] virtual std::optional<api::Response> admit(api::Request& head) const = 0;
  [[nodiscard]] virtual api::Response handle(const api::Request& request) const = 0;
  [[nodiscard]] virtual std::optional<api::Response> handle_stream(const api::Request& request,
                                                                   api::BodySource& body,
                                                                   api::AnswerSink& sink) const = 0;
};

/// The API over a service.
class ServiceBackend final : public Backend {
 public:
  explicit ServiceBackend(api::Service service) : service_(std::move(service)) {}
  [[nodiscard]] api::Endpoint endpoint_of(const api::Request& head) const override {
    return api::endpoint_of(head);
  }
  [[nodiscard]] api::AdmissionWork admission_work(const api::Request& head) const override {
    return api::admission_work(service_, head);
  }
  [[nodiscard]] std::optional<api::Response> admit(api::Request& head) const override {
    return api::admit(service_, head);
  }
  [[nodiscard]] api::Response handle(const api::Request& request) const override {
    return api::handle(service_, request);
  }
  [[nodiscard]] std::optional<api::Response> handle_stream(const api::Request& request, api::BodySource& body,
                                                           api::AnswerSink& sink) const override {
    return api::handle_stream(service_, request, body, sink);
  }

 private:
  api::Service service_;
};

}  // namespace akin::http
