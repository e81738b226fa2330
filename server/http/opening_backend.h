// The API from the moment when the server listens, which is before its collections are open.
#pragma once

#include <atomic>
#include <memory>

#include "server/api/health.h"
#include "server/http/backend.h"

namespace akin::http {

/// Until it is opened, answers /livez and /readyz, and refuses everything else as busy.
class OpeningBackend final : public Backend {
 public:
  explicit OpeningBackend(std::shared_ptr<const api::Readiness> readiness)
      : readiness_(std::move(readiness)) {}

  /// Call once; from any thread.
  void open(api::Service service);

  [[nodiscard]] api::Endpoint endpoint_of(const api::Request& head) const override;
  [[nodiscard]] api::AdmissionWork admission_work(const api::Request& head) const override;
  [[nodiscard]] std::optional<api::Response> admit(api::Request& head) const override;
  [[nodiscard]] api::Response handle(const api::Request& request) const override;
  [[nodiscard]] std::optional<api::Response> handle_stream(const api::Request& request, api::BodySource& body,
                                                           api::AnswerSink& sink) const override;

 private:
  [[nodiscard]] const ServiceBackend* opened() const noexcept {
    return opened_.load(std::memory_order_acquire);
  }

  std::shared_ptr<const api::Readiness> readiness_;
  std::unique_ptr<const ServiceBackend> owned_;
  std::atomic<const ServiceBackend*> opened_ = nullptr;
};

}  // namespace akin::http
