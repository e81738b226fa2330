// Valid names of collections, and the errors of a name.
#pragma once

#include <string_view>

#include "base/error.h"

namespace akin {

/// [A-Za-z0-9][A-Za-z0-9._-]{0,63}
[[nodiscard]] bool is_collection_name(std::string_view name) noexcept;

/// The same in words.
inline constexpr const char* kCollectionNameRule =
    "1 to 64 letters a-z, A-Z, digits and . _ -, a letter or digit first";

/// Error: invalid_argument.
[[nodiscard]] Result<void> check_collection_name(std::string_view name);

/// Errors: not_found, not_found, already_exists.
[[nodiscard]] Error no_collection(std::string_view name);
[[nodiscard]] Error collection_expired(std::string_view name);
[[nodiscard]] Error collection_exists(std::string_view name);

}  // namespace akin
