// Forms, as pages of browsers and `curl -F` send them, read whole; and requests whose body is one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/form.h"

namespace akin::api {

/// The form in a body of type multipart/form-data, without the files that were not chosen; nothing if the
/// body has another type. Errors: as MultipartReader; invalid_utf8 (a field); invalid_argument (more than
/// kMostParameters parts).
[[nodiscard]] Result<std::optional<Form>> multipart_form(const Request& request);

/// The value of the body's first field, if it has this name and is not a file; else empty. The name and the
/// value have only characters that no form encodes. Errors: as MultipartReader.
[[nodiscard]] Result<std::string> first_field(const Request& request, std::string_view name);

/// Answers a request that hands in one text or one file by `handler`, which knows no forms. Of a form, its
/// file (in the field `file` or `document`) or its field `text` becomes the body, and its other fields become
/// parameters beside those of the query; several fields `collections` become one. A text that `curl -d` sends
/// is answered by the command that sends it as it is. Errors: as multipart_form and parse_query;
/// invalid_argument (neither file nor text, or more than one; a field and a parameter that differ);
/// unsupported (a form of type application/x-www-form-urlencoded without the field `text`).
[[nodiscard]] Result<Response> without_form(const Call& call, Handler handler);

}  // namespace akin::api
