#pragma once

#include <string_view>

#include "base/error.h"

namespace akin {

/// What every analysis asks of a text: UTF-8, and no longer than kMaxTextBytes. Errors: invalid_utf8,
/// too_large.
[[nodiscard]] Result<void> check_text(std::string_view utf8);

}  // namespace akin
