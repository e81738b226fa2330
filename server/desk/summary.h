// The beginning of a report: the verdict, what it is based on, and the reasons for it.
#pragma once

#include <string>
#include <string_view>

#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// The verdict of a stored check, how much was found of what was compared, what was left out and what is
/// common; `text` is the checked one.
[[nodiscard]] std::string verdict_box(const Words& words, const json::Json& check, std::string_view text);

/// The reasons as a list; empty if there are none.
[[nodiscard]] std::string reasons_list(const Words& words, const json::Json& check);

}  // namespace akin::desk
