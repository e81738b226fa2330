// How letters of an office document look, and whether their paragraph is set off: what their own properties
// and those of their styles say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "extract/document.h"

namespace akin::extract {

/// A ground whose colour is not known: no letters have it.
inline constexpr std::string_view kUnknownGround = "unknown";

/// A blank whose width is changed by so many twentieths of a point, or less, has none: three quarters of one
/// of 10 points.
inline constexpr int kWidthlessBlank = -40;
/// Letters brought nearer by so many are drawn over each other.
inline constexpr int kOverlappingLetters = -120;

/// What some markup says of letters; nothing where it says nothing.
struct LetterLook {
  std::optional<bool> vanishes, tiny, narrow, transparent;
  std::optional<bool> shrunk;                 ///< beside the letters around them
  std::optional<bool> low;                    ///< their lines have no height
  std::optional<bool> outside;                ///< far left of or above the page
  std::optional<bool> condensed, overlapped;  ///< blanks, or letters too, have no width
  std::optional<bool> raised;                 ///< superscript
  std::optional<bool> set_off;                ///< the paragraph, as a block quotation is
  std::optional<std::string> colour, ground;  ///< as has_colour_of_ground takes them
  std::size_t kind = 0;                       ///< a hash of what they look like (add_kind)

  /// Takes a property that changes how letters look.
  void add_kind(std::string_view property, std::string_view value);

  /// What `stronger` says replaces what this says.
  void add(const LetterLook& stronger);
  /// What hides the letters on this ground, if they have no other.
  [[nodiscard]] HidingSet hiding(std::string_view ground_under) const;
};

}  // namespace akin::extract
