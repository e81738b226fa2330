// The check of a text before any analysis.
#pragma once

#include <string_view>

#include "base/error.h"

namespace akin {

/// Checks the requirements of every analysis: UTF-8, and at most kMaxTextBytes. Errors: invalid_utf8,
/// too_large.
[[nodiscard]] Result<void> check_text(std::string_view utf8);

}  // namespace akin
