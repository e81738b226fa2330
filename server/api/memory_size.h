// Amounts of memory as people write them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace akin::api {

/// "1048576", "512M", "2G": bytes, or with K, M, G, T the powers of 1024. Error: invalid_argument for
/// anything else, and for less than 1 MiB or more than 1 TiB.
[[nodiscard]] Result<std::uint64_t> parse_memory_size(std::string_view text);

}  // namespace akin::api
