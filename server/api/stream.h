// Bodies that are processed while they arrive, and answers that are sent while they are made.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/message.h"

namespace akin::api {

/// The arriving body of a request, with its content encoding removed. For one thread.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// Waits for bytes. Returns how many were written to `into`, 0 at the end of the body. Errors: timed_out,
  /// io (the client has disconnected), too_large (over the limit for streams), invalid_argument (broken
  /// compression), busy (the server is shutting down).
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> into) = 0;

  /// The same, appended to `to`: at most so many bytes, none after an error.
  [[nodiscard]] Result<std::size_t> append_to(std::string& to, std::size_t most) {
    const std::size_t had = to.size();
    to.resize(had + most);
    Result<std::size_t> count = read(std::span(to.data() + had, most));
    to.resize(had + (count.has_value() ? *count : 0));
    return count;
  }
};

/// An answer that is being sent. For one thread.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  /// Sends the head: status and header fields of `head`, without its body. Call once, before any write().
  [[nodiscard]] virtual Result<void> begin(const Response& head) = 0;
  /// Sends bytes; waits while the client accepts none. Errors: timed_out, io.
  [[nodiscard]] virtual Result<void> write(std::string_view bytes) = 0;
  /// For the log, what kept the server from a part of what was asked (Response::trouble): the answer names
  /// it too, but its status does not. Call at most once.
  virtual void trouble(std::string what) = 0;
};

}  // namespace akin::api
