// What differs within a passage that two texts share, as marks in either of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// A change as one of the two texts has it.
struct SideChange {
  TextRange range;
  std::string_view kind;  ///< its name, see akin::ChangeKind
};

/// The changes of a passage, in any order: those of a comparison ("changes") or of a check ("change_places").
/// `side`: "a" or "b". Views the passage.
[[nodiscard]] std::vector<SideChange> changes_of(const json::Json& passage, const char* side);

/// A passage's text as HTML, with the words that differ marked. `text`: that of `range` alone.
[[nodiscard]] std::string changed_text(const Words& words, std::string_view text, TextRange range,
                                       std::vector<SideChange> changes);

}  // namespace akin::desk
