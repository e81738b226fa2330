// The findings of a check as data, for the switches of its report (switches.js).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/check/marks.h"
#include "server/desk/matches.h"
#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// The class that persons gave a passage or else its source; empty: none. Numbers count from 1.
[[nodiscard]] std::string class_of(const check::DecidedMarks& marks, std::size_t source, std::size_t passage);

/// A block of data with the matches in the order of their numbers, the marks, the shares, and the texts that
/// change with a switch. `size`: of the text in code points.
[[nodiscard]] std::string findings(const Words& words, const json::Json& check,
                                   const std::vector<std::vector<Shown>>& passages, std::size_t size);

/// The beginning of the form that has the buttons of switch_button in it; it is posted to `path`.
[[nodiscard]] std::string switch_form(const json::Json& check, std::string_view path);
/// A button that has a source (`passage` 0) or a passage of it not count, or count again.
[[nodiscard]] std::string switch_button(const Words& words, std::size_t source, std::size_t passage,
                                        bool counts);

/// A JSON object in a page, for scripts to read.
[[nodiscard]] std::string data_block(std::string_view id, const json::Json& data, int indent = -1);

}  // namespace akin::desk
