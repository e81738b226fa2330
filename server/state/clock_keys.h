// The keys of Table::clock.
#pragma once

#include <string_view>

namespace akin::state {

inline constexpr std::string_view kLived = "lived";  ///< LivedTime
/// Up to which id all checks have an expiry, if they are to expire, or "all". Copying checks removes it.
inline constexpr std::string_view kChecksDated = "checks-dated";

}  // namespace akin::state
