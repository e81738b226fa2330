// Files that are part of the program.
#pragma once

#include <string_view>

namespace akin::api {

/// docs/errors.md
[[nodiscard]] std::string_view errors_page() noexcept;
/// OpenAPI 3.1 as JSON, made of the parts in openapi/.
[[nodiscard]] std::string_view openapi_description() noexcept;

}  // namespace akin::api
