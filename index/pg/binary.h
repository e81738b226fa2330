// Values in PostgreSQL's binary formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace akin::pg {

// Types' OIDs, fixed in PostgreSQL's catalog (pg_type.dat).
inline constexpr std::uint32_t kBigint = 20, kInteger = 23, kBytea = 17, kBigintArray = 1016,
                               kByteaArray = 1001;

/// The header of a one-dimensional array: dimensions, nulls, type, size, lower bound.
[[nodiscard]] std::string array_head(std::size_t size, std::uint32_t type);

/// Arrays of bigint and of integer.
[[nodiscard]] std::string binary_array(std::span<const std::int64_t> values);
[[nodiscard]] std::string binary_array(std::span<const std::int32_t> values);

/// Appends the numbers of a binary array of bigint or of integer, without nulls. Error: corrupt.
[[nodiscard]] Result<void> read_array(std::string_view bytes, std::vector<std::int64_t>& values);

}  // namespace akin::pg
