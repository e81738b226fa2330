// What the attributes of an element and the style sheets of its page say about whether it is seen.
#pragma once

#include <span>

#include "extract/document.h"
#include "extract/html/direction_marks.h"
#include "extract/html/style_sheet.h"

namespace akin::extract {

struct Look {
  HidingSet ways = 0;
  bool fades = false;  ///< of the colour, it is only transparent
  bool navigation = false;
  bool ground = false;  ///< it sets its own
  bool size = false;    ///< it sets one of its own, which can be read
  bool raised = false;  ///< it may be the mark of a note
  DirectionMarks::Said direction;
};

/// Of the last of these open elements. `attributes`: names and values in turn, ended by null, as libxml2
/// gives them. Sets the variables of the element. `on_ground`: the colour under the element is not known to
/// be white.
[[nodiscard]] Look look_of(std::span<OpenElement> open, const unsigned char* const* attributes,
                           const StyleSheet& sheet, bool on_ground, std::size_t& steps);

}  // namespace akin::extract
