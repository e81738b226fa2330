// The flag by which commands select documents in the filter language (server/filter/filter.h).
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/frame/command.h"
#include "server/filter/filter.h"

namespace akin::cli {

/// Registers --filter; `help` says what it selects. `filter` must live as long as `command`.
void add_filter_option(Command command, std::string& filter, const std::string& help);

/// Nothing if the flag was not given. Errors: as Filter::parse.
[[nodiscard]] Result<std::optional<filter::Filter>> filter_of(const std::string& text);

}  // namespace akin::cli
