// The parts of a report that give an overview: which matches are shown, and where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/matches.h"
#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// The matches that a reader wants to see; the shares count all of them.
struct MatchFilter {
  std::size_t source = 0;  ///< from 1; 0: all sources
  std::uint64_t least_words = 0;
  bool hides_quoted = false, hides_referenced = false, hides_bibliography = false;
  std::string mark_class = {};  ///< by which persons marked the match or its source; empty: any
  /// Years of publication of the source, of which one without a date has none; 0: any.
  std::uint64_t first_year = 0, last_year = 0;

  [[nodiscard]] bool is_any() const noexcept;
  /// `source`: that of the match.
  [[nodiscard]] bool accepts(const json::Json& source, const Shown& match, std::string_view mark_class) const;
};

/// The year in which a source of a check was published; 0 if that is not known.
[[nodiscard]] std::uint64_t year_of(const json::Json& source);

/// The form that asks for the page at `path` with another filter, and which keys the script of the desk
/// knows.
[[nodiscard]] std::string filter_form(const Words& words, std::string_view path, const MatchFilter& filter,
                                      const json::Json& sources);

/// A strip as long as the text with a bar for each stretch that has matches; a bar leads to the first of
/// them. For the eye and the pointer only: the marks themselves are reached by keyboard and named. `size`: of
/// the text in code points.
[[nodiscard]] std::string document_map(const std::vector<Match>& matches, std::size_t size);

/// A match and its place in the source.
struct PlacedMatch {
  Match match;
  TextRange in_source;
};

/// Where the matches of one source are in both texts: across in the text, of `size` code points; down in the
/// source, from its first match to its last. A line leads to its match. Nothing for fewer than two matches.
/// As document_map, for the eye and the pointer only.
[[nodiscard]] std::string source_map(const Words& words, const std::vector<PlacedMatch>& matches,
                                     std::size_t size);

}  // namespace akin::desk
