// 64-bit numbers as 16 lower-case hex digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

[[nodiscard]] std::string hex16(std::uint64_t number);
/// Nothing unless `digits` is exactly 16 lower-case hex digits.
[[nodiscard]] std::optional<std::uint64_t> parse_hex16(std::string_view digits) noexcept;

}  // namespace akin
