// The HTTP API without a socket: a request in, an answer out. Which paths exist is told in router.cpp's
// table.
#pragma once

#include <memory>

#include "dict/dictionary.h"
#include "index/collection.h"
#include "server/api/message.h"
#include "server/api/tasks.h"

namespace akin::api {

/// What the handlers work with. Copies share it.
struct Service {
  std::shared_ptr<Catalog> catalog;
  std::shared_ptr<const Dictionary> dictionary;  ///< the one that the catalog was opened with
  std::shared_ptr<Tasks> tasks = nullptr;        ///< null: requests that start tasks are refused
};

/// Answers a request; never throws: a failure is an answer with an error_object. May be called from any
/// number of threads.
[[nodiscard]] Response handle(const Service& service, const Request& request);

/// Whether the answer may take time. The other answers touch neither disk nor text: they can be given at
/// once, so that a busy server still tells that it is alive.
[[nodiscard]] bool needs_worker(const Request& request) noexcept;

}  // namespace akin::api
