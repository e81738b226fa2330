// Numbers and bytes as lower-case hex digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

/// A 64-bit number as 16 digits.
[[nodiscard]] std::string hex16(std::uint64_t number);
/// Nothing unless `digits` is exactly 16 lower-case hex digits.
[[nodiscard]] std::optional<std::uint64_t> parse_hex16(std::string_view digits) noexcept;

/// The byte of two digits, in either case; nothing of anything else.
[[nodiscard]] std::optional<char> byte_of_hex(std::string_view digits) noexcept;

/// A text in which "%41" is a byte; percent signs before anything else stay.
[[nodiscard]] std::string percent_decoded(std::string_view text);

/// Two digits a byte.
[[nodiscard]] std::string hex_of(std::string_view bytes);
/// Nothing for anything but an even number of lower-case digits.
[[nodiscard]] std::optional<std::string> bytes_of_hex(std::string_view digits);

}  // namespace akin
