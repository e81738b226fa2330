// What a group of an RTF inherits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "extract/child/office/letter_look.h"

namespace akin::extract {

/// Where text goes: `box` is a text box, `aside` what is left out, as the heads of pages, `label` what a list
/// writes in front of a paragraph.
enum class RtfPlace : std::uint8_t {
  body,
  footnote,
  box,
  aside,
  fonts,
  colours,
  styles,
  label,
  title,
  author,
  nowhere
};

/// What a group inherits, and restores at its end.
struct RtfState {
  RtfPlace place = RtfPlace::body;
  RtfPlace around = RtfPlace::nowhere;  ///< where the shape or object of the group is
  std::int32_t font = 0;
  std::int32_t skipped_after_unicode = 1;
  bool hidden = false, deleted = false, tiny = false, raised = false;
  bool relief = false;                            ///< embossed or engraved, which is drawn in white
  std::int32_t colour = -1;                       ///< its number; -1: automatic
  std::int32_t ground = 0, paragraph_ground = 0;  ///< numbers of colours; 0: none of their own
  bool narrow = false;                            ///< letters have less than a tenth of their width
  bool condensed = false, overlapped = false;     ///< blanks, or letters too, have none

  /// Takes what a word says of the width of letters.
  void read_width(std::string_view word, std::optional<std::int32_t> number) {
    constexpr std::int32_t kNarrow = 9;  // percent
    if (word == "plain") narrow = condensed = overlapped = false;
    if (word == "charscalex") narrow = number && *number <= kNarrow;
    if (word == "expndtw") {
      condensed = number && *number <= kWidthlessBlank;
      overlapped = number && *number <= kOverlappingLetters;
    }
  }

  friend bool operator==(const RtfState&, const RtfState&) = default;
};

}  // namespace akin::extract
