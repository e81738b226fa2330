// What markup makes of a text's visibility: colours and lengths as documents and style sheets write them.
#pragma once

#include <string_view>

#include "extract/document.h"

namespace akin::extract {

/// Whether letters of this colour cannot be distinguished from their ground. Colours: "#rrggbb", "#rgb",
/// "rgb(r,g,b)" or one of CSS's basic names; an unknown or empty colour is seen, an empty ground is white.
[[nodiscard]] bool has_colour_of_ground(std::string_view colour, std::string_view ground);

/// Whether a font size is under 2 points: "1pt", "0", "1.5px", ".1em". Percentages are unknown.
[[nodiscard]] bool is_tiny_length(std::string_view length);

/// A length in cm, mm, in, pc, pt or px, in centimetres; 0 of any other.
[[nodiscard]] double centimetres_of(std::string_view length);

/// What a list of CSS declarations ("display: none; color: #fff") hides. The ground of letters that it
/// colours is the declared one; `on_ground`: whether an element around may have set another.
[[nodiscard]] HidingSet hiding_of_style(std::string_view declarations, bool on_ground);
/// Whether it sets a ground.
[[nodiscard]] bool sets_ground(std::string_view declarations);

}  // namespace akin::extract
