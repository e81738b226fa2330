// The keys of Table::clock, which copies of a state leave out.
#pragma once

#include <string_view>

namespace akin::state {

inline constexpr std::string_view kLived = "lived";  ///< LivedTime
/// Up to which id all checks have an expiry, if they are to expire, or "all". Copying checks removes it.
inline constexpr std::string_view kChecksDated = "checks-dated";

/// What all checks keep (check/kept_bytes.h). Copying checks removes it, and it is summed again.
inline constexpr std::string_view kKeptSpace = "kept-space";

}  // namespace akin::state
