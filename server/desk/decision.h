// What persons decided of a check, in its report and in forms.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// "State: open.", of a check's decision.
[[nodiscard]] std::string state_sentence(const Words& words, const json::Json& decision);
/// The shares as computed and as decided, if these differ, and the state.
[[nodiscard]] std::string decided_sentence(const Words& words, const json::Json& check);
/// What a mark says, as a paragraph; empty if there is none. `counts`: whether its finding does.
[[nodiscard]] std::string mark_note(const Words& words, const json::Json* mark, bool counts);
/// `path`: of the case, for the form that undoes the last entry if that changed marks; empty: the reader may
/// not change them. Otherwise a script may add entries.
[[nodiscard]] std::string history_list(const Words& words, const std::vector<json::Json>& history,
                                       std::string_view path);
/// What the scripts of a report show after a change of marks: `revision`, `share`, `letters` and
/// `source_shares` of the decision, and the text of the last `entry`.
[[nodiscard]] json::Json change_object(const Words& words, const json::Json& check,
                                       const std::vector<json::Json>& history);

/// The form that decides about a case; its fields are revision, state and remark. `path`: of the case.
[[nodiscard]] std::string decision_form(const Words& words, const json::Json& check, std::string_view path);

/// The page that marks a source and its passages, or, for source 0, the exclusions. Its form has the fields
/// revision, source, and for each finding "what-N" and "remark-N": N is 0 for the whole source. `path`: of
/// the case.
[[nodiscard]] std::string marks_page(const Reader& reader, const json::Json& check, std::string_view text,
                                     std::size_t source, std::string_view path);

/// What a select of marks_page says of a mark: "" (as computed), "off" (does not count), a class, or "as is"
/// for a mark that none of these describes.
[[nodiscard]] std::string choice_of(const json::Json* mark);

}  // namespace akin::desk
