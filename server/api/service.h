// The HTTP API without a socket: a request in, an answer out. Which paths exist is told in router.cpp's
// table.
#pragma once

#include <memory>
#include <optional>

#include "dict/dictionary.h"
#include "index/collection.h"
#include "server/api/message.h"
#include "server/api/stream.h"
#include "server/api/tasks.h"
#include "server/watch/watches.h"

namespace akin::api {

/// What the handlers work with. Copies share it.
struct Service {
  std::shared_ptr<Catalog> catalog;
  std::shared_ptr<const Dictionary> dictionary;       ///< the one that the catalog was opened with
  std::shared_ptr<Tasks> tasks = nullptr;             ///< null: requests that start tasks are refused
  std::shared_ptr<watch::Watches> watches = nullptr;  ///< null: there are none
};

/// How a request's answer is made.
enum class Delivery {
  at_once,  ///< touches neither disk nor text: answered even while every worker is busy
  worker,   ///< may take time
  stream,   ///< reads its body while it arrives and answers meanwhile: handle_stream
};

/// Known by a request's head alone.
[[nodiscard]] Delivery delivery(const Request& head) noexcept;

/// Whether the request may go on, asked when its head has come and before its body is read: who asks may do
/// this, and not too often. Fills in `head.grant`. The refusal, or nothing. May take time (a key that was not
/// seen before is hashed) unless admits_at_once.
[[nodiscard]] std::optional<Response> admit(const Service& service, Request& head);
[[nodiscard]] bool admits_at_once(const Service& service, const Request& head) noexcept;

/// Answers an admitted request; never throws: a failure is an answer with an error_object. May be called from
/// any number of threads.
[[nodiscard]] Response handle(const Service& service, const Request& request);

/// The same for Delivery::stream; `request` has no body. The answer goes to `sink`, or is returned when it
/// could not be begun.
[[nodiscard]] std::optional<Response> handle_stream(const Service& service, const Request& request,
                                                    BodySource& body, AnswerSink& sink);

}  // namespace akin::api
