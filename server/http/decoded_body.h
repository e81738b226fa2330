// Decodes the content encoding of a whole body.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"
#include "server/http/allowance.h"
#include "server/ingest/content_coding.h"

namespace akin::http {

/// Decodes a whole body. Never holds more than `limit` decoded bytes, which it takes from `memory`. Errors:
/// too_large, busy (out of memory), invalid_argument (broken or truncated).
[[nodiscard]] Result<std::string> decode_body(ingest::Coding coding, const std::string& encoded,
                                              std::size_t limit, Lease& memory);

}  // namespace akin::http
