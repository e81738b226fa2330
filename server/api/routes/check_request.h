// Reads the body of a request for a check.
#pragma once

#include <string>

#include "server/api/call.h"
#include "server/run/checking.h"

namespace akin::api {

/// Reads the parameters and fields of POST /v1/checks, whose body is not a form, and the policy that they
/// name. A text with a "file_name" or "encoding" is a file; this does not read it. Errors: those of a
/// malformed body, not_found (policy), forbidden (a collection, also one of a template).
[[nodiscard]] Result<AskedCheck> read_check_request(const Call& call);

/// Whether the request's key made the check or may review all, and allows all collections that the check
/// read.
[[nodiscard]] bool allows_check(const Request& request, const Json& check);

/// Removes the templates that are documents of collections that the request's key does not allow; returns
/// their number.
std::size_t hide_templates(const Request& request, check::Policy& policy);

/// Whether the request's key, if there is one, has the scope `read`: others get neither the texts of
/// documents nor those of templates.
[[nodiscard]] bool may_read(const Request& request);

}  // namespace akin::api
