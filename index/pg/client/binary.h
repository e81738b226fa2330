// Values in PostgreSQL's binary formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/bytes.h"

namespace akin::pg {

// Types' OIDs, fixed in PostgreSQL's catalog (pg_type.dat).
inline constexpr std::uint32_t kBigint = 20, kBytea = 17, kBigintArray = 1016, kByteaArray = 1001;

/// The header of a one-dimensional array: dimensions, nulls, type, size, lower bound.
[[nodiscard]] std::string array_head(std::size_t size, std::uint32_t type);

/// An array of bigint.
[[nodiscard]] std::string binary_array(std::span<const std::int64_t> values);

}  // namespace akin::pg
