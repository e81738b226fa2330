// What markup makes of a text's visibility: colours and lengths as documents and style sheets write them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "extract/document.h"

namespace akin::extract {

/// Whether letters of this colour cannot be distinguished from their ground (parse_colour). An unknown or
/// empty colour is seen, an empty ground is white.
[[nodiscard]] bool has_colour_of_ground(std::string_view colour, std::string_view ground);

/// Whether a font size is 2 points or less: "2pt", "0", "1.5px", "0.1mm", ".1em". Percentages are unknown.
[[nodiscard]] bool is_tiny_length(std::string_view length);

/// A length in cm, mm, in, pc, pt or px, in centimetres; 0 of any other.
[[nodiscard]] double centimetres_of(std::string_view length);

/// By their names ("--name").
using Variables = std::map<std::string, std::string, std::less<>>;

/// CSS declarations, as far as they can hide or turn text; of several of one property the last counts, or the
/// last that is important. A value is kept without white space, in small letters, and cut to 64 bytes, so
/// that an element takes the same time however much a page declares for it.
class Declarations {
 public:
  /// Adds those of a list: "display: none; color: #fff".
  void add(std::string_view list);
  void add(const Declarations& later);

  /// None is known of.
  [[nodiscard]] bool empty() const noexcept { return set_ == 0 && variables_.empty(); }
  /// Puts the values of variables ("var(--name)") into the others. `find` returns null for an unknown one.
  using FindVariable = std::function<const std::string*(std::string_view name)>;
  void resolve(const FindVariable& find);
  [[nodiscard]] Variables take_variables() { return std::move(variables_); }

  /// What they hide, but for transparent letters. The ground of letters that they colour is the declared one;
  /// `on_ground`: whether an element around may have set another.
  [[nodiscard]] HidingSet hiding(bool on_ground) const;
  /// Whether the letters are transparent.
  [[nodiscard]] bool is_transparent() const;
  /// Whether they give letters a size that can be read, whatever the size around them is.
  [[nodiscard]] bool set_size() const;
  /// Whether they raise letters, as marks of notes are.
  [[nodiscard]] bool raise() const { return get(vertical_align) == "super"; }
  /// Whether they set the direction from right to left, or from left to right.
  [[nodiscard]] std::optional<bool> leftward() const;
  /// Whether they show all letters in that direction.
  [[nodiscard]] bool overrides_direction() const { return get(unicode_bidi).ends_with("override"); }
  /// Whether they set a ground.
  [[nodiscard]] bool set_ground() const;

 private:
  enum Property : std::uint8_t {
    background,
    background_color,
    background_image,
    bottom,
    clip,
    clip_path,
    color,
    content_visibility,
    direction,
    display,
    filter,
    font,
    font_size,
    height,
    inset,
    left,
    letter_spacing,
    margin,
    margin_left,
    margin_top,
    mask,
    mask_image,
    max_height,
    max_width,
    opacity,
    overflow,
    position,
    right,
    rotate,
    scale,
    text_fill_color,
    text_indent,
    top,
    transform,
    translate,
    unicode_bidi,
    vertical_align,
    visibility,
    width,
    zoom,
  };
  static constexpr std::size_t kProperties = 40;
  static const std::array<std::string_view, kProperties> kNames;

  void set(std::size_t property, std::string value, bool important);
  [[nodiscard]] const std::string& get(Property property) const noexcept { return values_[property]; }
  [[nodiscard]] std::string_view ground() const noexcept;
  [[nodiscard]] bool is_off_screen() const;
  [[nodiscard]] bool is_clipped() const;
  [[nodiscard]] bool is_tiny() const;
  [[nodiscard]] bool is_scaled_down() const;

  std::array<std::string, kProperties> values_;
  Variables variables_;
  std::uint64_t set_ = 0, important_ = 0;  ///< which are declared, and are important, bit by bit
};

}  // namespace akin::extract
