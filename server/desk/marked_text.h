// A checked text as HTML, with what was found and what was left out marked in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "server/check/letters.h"
#include "server/desk/words.h"

namespace akin::desk {

/// A passage of the text that a source has, too.
struct Match {
  TextRange range;
  std::size_t source = 0;            ///< from 1, in the order of the sources
  std::size_t number = 0;            ///< from 1, in the order of the text
  bool counts = true;                ///< by what persons decided
  std::vector<TextRange> gaps = {};  ///< ascending stretches of the range that the source does not have
  std::size_t changed_words = 0;     ///< that the source has otherwise; where words are missing, one
};

/// What was not compared.
struct LeftOut {
  TextRange range;
  std::string_view kind;  ///< name of the exclusion
};

/// A place with unusual characters.
struct Unusual {
  TextRange range;
  std::size_t number = 0;  ///< from 1, in the order of the text
  std::string_view kind;   ///< name of the alert
};

/// The class of a match's marks: that of its source, or "off" if it does not count.
[[nodiscard]] std::string style_of(const Match& match);

/// What marked_text shows; views.
struct MarkedText {
  std::string_view text;
  const std::vector<Match>& matches;
  const std::vector<LeftOut>& left_out;
  std::size_t total;  ///< the matches of the whole report, of which `matches` may be some
  /// Those of the text, for a page with switches: marks then say which matches they are of (data-m, by
  /// source) and how many letters they have (data-n). Null: they do not.
  const check::Letters* letters = nullptr;
  std::vector<Unusual> unusual = {};  ///< ascending
};

/// Paragraphs with <mark> elements, in sections of fifty that a browser lays out when they come into sight.
/// Each match has an anchor "m" + its number where it begins, with a link to "p" + its number. Where several
/// sources have a stretch, the mark is that of the first one that counts. Gaps have none. Unusual places have
/// anchors, too: "u" + the number.
[[nodiscard]] std::string marked_text(const Words& words, const MarkedText& marked);

}  // namespace akin::desk
