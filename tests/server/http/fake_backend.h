// A backend made of what a test says: POST /stream is a stream, "/worker…" is worked on by a worker, all else
// is answered at once.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/http/backend.h"

namespace akin::test {

struct FakeBackend final : http::Backend {
  using Stream =
      std::function<std::optional<api::Response>(const api::Request&, api::BodySource&, api::AnswerSink&)>;

  std::function<std::optional<api::Response>(api::Request&)> refuse;
  std::function<api::Response(const api::Request&)> answer;
  Stream stream;
  bool slow_authorization = false;
  mutable std::atomic<int> lookups = 0;  ///< of endpoints

  api::Endpoint endpoint_of(const api::Request& head) const override {
    ++lookups;
    if (head.target == "/stream") return {.pattern = "/stream", .delivery = api::Delivery::stream};
    const bool works = head.target.starts_with("/worker");
    return {.pattern = "", .delivery = works ? api::Delivery::worker : api::Delivery::at_once};
  }
  api::AuthorizationWork authorization_work(const api::Request&) const override {
    return slow_authorization ? api::AuthorizationWork::look_up : api::AuthorizationWork::none;
  }
  std::optional<api::Response> authorize(api::Request& head) const override {
    return refuse ? refuse(head) : std::nullopt;
  }
  api::Response handle(const api::Request& request) const override {
    return answer ? answer(request) : api::Response{.status = 200, .headers = {}, .body = "{}\n"};
  }
  std::optional<api::Response> handle_stream(const api::Request& request, api::BodySource& body,
                                             api::AnswerSink& sink) const override {
    return stream(request, body, sink);
  }
};

}  // namespace akin::test
