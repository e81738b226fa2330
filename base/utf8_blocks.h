// Fast validation of UTF-8, in blocks.
#pragma once

#include <cstddef>
#include <string_view>

namespace akin {

/// Length of a prefix that is certainly well-formed UTF-8: whole characters, checked in blocks by the
/// processor's vector unit. The rest may be well-formed too; without such a unit the answer is 0.
[[nodiscard]] std::size_t well_formed_prefix(std::string_view bytes) noexcept;

}  // namespace akin
