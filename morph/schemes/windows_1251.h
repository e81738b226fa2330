// The code page windows-1251, for the scheme of 2009.
#pragma once

#include <cstdint>

namespace akin {

/// Code of a folded character in the single-byte code page windows-1251; that of '?' if the page lacks it.
[[nodiscard]] std::uint8_t windows_1251(char32_t c) noexcept;

}  // namespace akin
