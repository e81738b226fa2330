// What looks disguised in a checked text and its file, with the places.
#pragma once

#include <string>
#include <vector>

#include "base/sliced_text.h"
#include "server/desk/marked_text.h"
#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// The alerts of a check that its text can show, in the order of the text. They view the check.
[[nodiscard]] std::vector<Unusual> unusual_places(const json::Json& check);

/// Each kind of alert with its number, the first words that have it, which lead to their places in the text,
/// and, of look-alike letters, which scripts they are from; then the alerts of the file: how much of it each
/// concerns, where the first is, and what it says. Empty if there is none.
[[nodiscard]] std::string alerts_list(const Words& words, const json::Json& check, const SlicedText& text,
                                      const std::vector<Unusual>& places);

}  // namespace akin::desk
