// Decodes the content encoding of a whole body.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/error.h"
#include "server/ingest/content_coding.h"

namespace akin::http {

/// Decodes a whole body. Never holds more than `limit` decoded bytes, for which `take` allows more memory, or
/// returns false. Errors:
/// too_large, busy (out of memory), invalid_argument (broken or truncated).
[[nodiscard]] Result<std::string> decode_body(ingest::Coding coding, const std::string& encoded,
                                              std::size_t limit,
                                              const std::function<bool(std::size_t)>& take);

}  // namespace akin::http
