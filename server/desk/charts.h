// Small charts. They are for the eye; tables beside them have the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "server/desk/operate.h"

namespace akin::desk {

/// A bar for each count, the largest as high as the chart.
[[nodiscard]] std::string bar_chart(std::span<const std::uint64_t> counts);

/// How fast the server answers. HTML; nothing before the first answer.
[[nodiscard]] std::string speed_part(const Words& words, const ServerView& view);
/// What takes space.
[[nodiscard]] std::string space_part(const Words& words, const ServerView& view);

}  // namespace akin::desk
