// Files that are part of the program.
#pragma once

#include <string_view>

namespace akin::api {

/// docs/errors.md
[[nodiscard]] std::string_view errors_page() noexcept;

}  // namespace akin::api
