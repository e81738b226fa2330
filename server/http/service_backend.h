// The API from the moment when the server listens, which is before its collections are open.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "server/http/backend.h"

namespace akin::http {

/// Until it is opened, answers /livez and /readyz, and refuses everything else as busy.
class ServiceBackend final : public Backend {
 public:
  explicit ServiceBackend(std::shared_ptr<const api::Readiness> readiness);
  /// Is open from the beginning.
  explicit ServiceBackend(api::Service service);

  /// Call once; from any thread.
  void open(api::Service service);

  [[nodiscard]] api::Endpoint endpoint_of(const api::Request& head) const override;
  [[nodiscard]] api::AuthorizationWork authorization_work(const api::Request& head) const override;
  [[nodiscard]] std::optional<api::Response> authorize(api::Request& head) const override;
  [[nodiscard]] api::Response handle(const api::Request& request) const override;
  [[nodiscard]] std::optional<api::Response> handle_stream(const api::Request& request, api::BodySource& body,
                                                           api::AnswerSink& sink) const override;

 private:
  [[nodiscard]] const api::Service& service() const noexcept {
    return *service_.load(std::memory_order_acquire);
  }

  const api::Service closed_;  ///< has nothing but the readiness
  api::Service opened_;
  std::atomic<const api::Service*> service_ = &closed_;
};

}  // namespace akin::http
