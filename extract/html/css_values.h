// Values of style sheets: colours and lengths, as CSS and the markup of office documents write them.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace akin::extract {

/// Red, green and blue, 0 to 255 each.
using Colour = std::array<int, 3>;
inline constexpr Colour kWhite = {255, 255, 255};

/// Whether nobody can distinguish letters of one on the other: no part differs by 6 %.
[[nodiscard]] bool is_same_colour(const Colour& one, const Colour& other) noexcept;

/// "#rrggbb", "#rgb", "rgb(r g b)", "hsl(h,s,l)", "hwb(h w b)", "color(srgb r g b)" or one of CSS's basic
/// names. Of "lab(l a b)" and its like only black and white are known.
[[nodiscard]] std::optional<Colour> parse_colour(std::string_view written);
/// 0 to 1: that of "rgb(r g b / a)", "rgba(r,g,b,a)", "#rgba" and "#rrggbbaa"; 1 of others.
[[nodiscard]] double opacity_of(std::string_view colour);

/// The number that a length begins with, and its unit. What calc, min, max and clamp compute is one.
[[nodiscard]] std::optional<std::pair<double, std::string>> parse_length(std::string_view written);
/// The number after the first of these words, as in "scale(0)".
[[nodiscard]] std::optional<double> number_in(std::string_view value,
                                              std::initializer_list<std::string_view> words);

/// In small letters, without white space; what white space parts within brackets, a comma does.
[[nodiscard]] std::string compact_value(std::string_view written);

}  // namespace akin::extract
