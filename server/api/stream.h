// Bodies that are worked on while they arrive, and answers that go out while they are made.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/error.h"
#include "server/api/message.h"

namespace akin::api {

/// A request's body on its way in, its content encoding undone. One thread.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// Waits for bytes; the number of those now in `into`, 0 at the body's end. Errors: timed_out, io (the
  /// client is gone), too_large (more than a stream may have), invalid_argument (broken compression), busy
  /// (the server ends).
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> into) = 0;
};

/// An answer on its way out. One thread.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  /// Sends the head: status and header fields of `head`, whose body is left out. Once, before any write().
  [[nodiscard]] virtual Result<void> begin(const Response& head) = 0;
  /// Sends bytes; waits while the client takes none. Errors: timed_out, io.
  [[nodiscard]] virtual Result<void> write(std::string_view bytes) = 0;
};

}  // namespace akin::api
