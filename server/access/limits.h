// The largest limits that an access key or a server may have.
#pragma once

#include <cstdint>

namespace akin::access {

inline constexpr double kMaxRate = 1e6;                   ///< requests a second
inline constexpr std::uint32_t kMaxConcurrent = 100'000;  ///< requests at once

}  // namespace akin::access
