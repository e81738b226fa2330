// Small charts of the page of the server: how fast it answers, and what takes space. Tables have the same
// numbers.
#pragma once

#include <string>

#include "server/desk/operate.h"

namespace akin::desk {

/// HTML; nothing before the first answer.
[[nodiscard]] std::string speed_part(const Words& words, const ServerView& view);
[[nodiscard]] std::string space_part(const Words& words, const ServerView& view);

}  // namespace akin::desk
