// Conditional requests (RFC 9110, 13): which version of a document a request applies to.
#pragma once

#include <cstdint>
#include <string>

#include "index/store/store.h"
#include "server/api/message.h"

namespace akin::api {

/// The field ETag of a document: strong, its revision in hexadecimal digits and quotes.
[[nodiscard]] std::string entity_tag(Revision revision);

/// The precondition that If-Match, or `If-None-Match: *`, sets for a write. Weak tags match nothing. Error:
/// invalid_argument (a malformed list, both fields at once, If-None-Match with tags).
[[nodiscard]] Result<Precondition> write_condition(const Request& request);

/// How to answer a GET of a document.
enum class Freshness {
  changed,      ///< with the document
  not_changed,  ///< 304: If-None-Match matches its revision
  not_wanted    ///< 412: If-Match does not match its revision
};

/// The error of Freshness::not_wanted.
[[nodiscard]] Error other_revision(std::string_view id, Revision revision);

/// Error: invalid_argument.
[[nodiscard]] Result<Freshness> freshness(const Request& request, Revision revision);

}  // namespace akin::api
