// Parses moments in the future, as flags take them.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/time.h"

namespace akin::cli {

/// "90d", "12h", "30m" or "45s" from now, or a date or time in the future as parse_time takes it; nothing for
/// an empty text. Error: invalid_argument, which names the flag.
[[nodiscard]] Result<std::optional<Time>> read_moment(std::string_view flag, std::string_view text);

}  // namespace akin::cli
