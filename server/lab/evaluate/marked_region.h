// Replaces regions of a document that a command writes.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::evaluate {

/// The document with the text between the lines "<!-- begin NAME -->" and "<!-- end NAME -->" replaced by
/// `content`, with a blank line on both sides. Errors: not_found (a mark is missing), invalid_argument (a
/// mark occurs twice, the end comes first).
[[nodiscard]] Result<std::string> with_region(std::string_view document, std::string_view name,
                                              std::string_view content);

}  // namespace akin::evaluate
