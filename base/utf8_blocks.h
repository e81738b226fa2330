#pragma once

#include <cstddef>
#include <string_view>

namespace akin {

/// How many bytes from the begin are well-formed UTF-8 for certain: whole characters, checked in blocks by
/// the processor's vector unit. What follows may be well-formed too; where there is no such unit the answer
/// is 0.
[[nodiscard]] std::size_t well_formed_prefix(std::string_view bytes) noexcept;

}  // namespace akin
