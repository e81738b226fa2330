// Amounts of memory in the notation that users write.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace akin::api {

/// "1048576", "512M", "2G": a number of bytes; the suffixes K, M, G, T multiply it by powers of 1024. Error:
/// invalid_argument for anything else, and for less than 1 MiB or more than 1 TiB.
[[nodiscard]] Result<std::uint64_t> parse_memory_size(std::string_view text);

}  // namespace akin::api
