// A form, as pages of browsers and `curl -F` send it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/api/call.h"

namespace akin::api {

/// The kind of a form's fields, when they become parameters.
inline constexpr std::string_view kFormField = "form field";

struct FormFile {
  std::string field;  ///< name of the form's field
  std::string name;   ///< of the file
  std::string media;  ///< its content type; empty if there is none
  std::string bytes;
};

/// Names and values of the fields are UTF-8.
struct Form {
  std::vector<Parameter> fields;
  std::vector<FormFile> files;
};

/// The form that a page of the desk sends, of either type. Errors: as multipart_form and parse_query.
[[nodiscard]] Result<Form> posted_form(const Request& request);
/// The fields of the call's form. Requires that it has one. Errors: as posted_form.
[[nodiscard]] Result<std::span<const Parameter>> fields_of(const Call& call);

}  // namespace akin::api
