// CRC-32C: the cyclic redundancy check with Castagnoli's polynomial (Castagnoli, Bräuer and Herrmann,
// "Optimization of cyclic redundancy-check codes with 24 and 32 parity bits", IEEE Transactions on
// Communications 41, 1993), as in iSCSI (RFC 3720). It finds every change of up to 32 consecutive bits.
// Computed by the processor's own instruction where there is one (SSE 4.2, ARMv8), 8 bytes at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin {

/// The checksum of bytes that follow those of `before`; 0 if there are none before.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0) noexcept;

/// The same from a table, on any processor.
[[nodiscard]] std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace akin
