// Conditional requests (RFC 9110, 13): which version of a document a request is meant for.
#pragma once

#include <cstdint>
#include <string>

#include "index/store.h"
#include "server/api/message.h"

namespace akin::api {

/// The field ETag of a document: strong, its revision in hexadecimal digits and quotes.
[[nodiscard]] std::string entity_tag(std::uint64_t revision);

/// What If-Match, or `If-None-Match: *`, asks of a write. Weak tags match nothing. Error: invalid_argument (a
/// list that is none, both fields at once, If-None-Match with tags).
[[nodiscard]] Result<Precondition> write_condition(const Request& request);

/// How a document with this revision is to be answered.
enum class Freshness {
  changed,      ///< in full
  not_changed,  ///< 304: If-None-Match names it
  not_wanted    ///< 412: If-Match does not
};

/// Error: invalid_argument.
[[nodiscard]] Result<Freshness> freshness(const Request& request, std::uint64_t revision);

}  // namespace akin::api
