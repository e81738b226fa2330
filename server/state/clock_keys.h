// The keys of Table::clock, which copies of a state leave out.
#pragma once

#include <string_view>

namespace akin::state {

inline constexpr std::string_view kLived = "lived";  ///< LivedTime
/// What all checks keep (check/kept_bytes.h). Copying checks removes it, and it is summed again.
inline constexpr std::string_view kKeptSpace = "kept-space";

}  // namespace akin::state
