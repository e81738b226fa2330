// What persons decided of a check, in its report and in forms.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// The marks of a check by what they are on. Numbers count from 1. A view of the check.
class DecidedMarks {
 public:
  explicit DecidedMarks(const json::Json& check);

  /// Null if there is none.
  [[nodiscard]] const json::Json* of_source(std::size_t source) const { return find({source, 0}); }
  [[nodiscard]] const json::Json* of_passage(std::size_t source, std::size_t passage) const {
    return find({source, passage});
  }
  [[nodiscard]] const json::Json* of_exclusion(std::size_t exclusion) const { return find({0, exclusion}); }

  [[nodiscard]] bool source_counts(std::size_t source) const;
  [[nodiscard]] bool passage_counts(std::size_t source, std::size_t passage) const;
  [[nodiscard]] bool is_compared_after_all(std::size_t exclusion) const;

 private:
  using Place = std::pair<std::size_t, std::size_t>;  ///< an exclusion has source 0
  [[nodiscard]] const json::Json* find(const Place& place) const;

  std::map<Place, const json::Json*> marks_;
};

/// The shares as computed and as decided, and the state.
[[nodiscard]] std::string decided_sentence(const Words& words, const json::Json& check);
/// What a mark says, as a paragraph; empty if there is none. `counts`: whether its finding does.
[[nodiscard]] std::string mark_note(const Words& words, const json::Json* mark, bool counts);
[[nodiscard]] std::string history_list(const Words& words, const std::vector<json::Json>& history);

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
