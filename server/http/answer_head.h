// Builds the status line and header fields of an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/message.h"

namespace akin::http {

struct AnswerHead {
  std::string_view id;                  ///< of the request
  std::optional<std::uint64_t> length;  ///< of the body; nothing: chunked if `keep_open`, else as long as the
                                        ///< connection is open (HTTP/1.0)
  bool keep_open = false;
};

[[nodiscard]] std::string answer_head(const api::Response& response, const AnswerHead& head);

}  // namespace akin::http
