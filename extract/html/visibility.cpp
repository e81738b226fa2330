#include "extract/html/visibility.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

/// The share of full intensity by which colours must differ to be seen, in 255ths.
constexpr int kSameColour = 16;

using Colour = std::array<int, 3>;

constexpr std::array<std::pair<std::string_view, Colour>, 11> kColours = {{{"aqua", {0, 255, 255}},
                                                                           {"black", {0, 0, 0}},
                                                                           {"blue", {0, 0, 255}},
                                                                           {"cyan", {0, 255, 255}},
                                                                           {"fuchsia", {255, 0, 255}},
                                                                           {"ghostwhite", {248, 248, 255}},
                                                                           {"lime", {0, 255, 0}},
                                                                           {"red", {255, 0, 0}},
                                                                           {"snow", {255, 250, 250}},
                                                                           {"white", {255, 255, 255}},
                                                                           {"yellow", {255, 255, 0}}}};

/// Without white space, in small letters.
std::string compact_lower(std::string_view written) {
  std::string flat = ascii_lower(written);
  std::erase_if(flat, is_markup_space);
  return flat;
}

std::optional<int> hexadecimal(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// "#rgb" or "#rrggbb"; further digits are an opacity.
std::optional<Colour> hash_colour(std::string_view digits) {
  const std::size_t width = digits.size() < 6 ? 1 : 2;
  if (digits.size() < 3 * width) return std::nullopt;
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const auto part = hexadecimal(digits.substr(i * width, width));
    if (!part) return std::nullopt;
    colour[i] = width == 1 ? 17 * *part : *part;
  }
  return colour;
}

/// Three numbers, and whether they are percentages: "255,255,255", "100%,100%,100%", "0deg,0%,100%".
std::optional<std::array<std::pair<double, bool>, 3>> three_numbers(std::string_view parts) {
  std::array<std::pair<double, bool>, 3> numbers{};
  for (auto& [number, percent] : numbers) {
    const auto [end, error] = std::from_chars(parts.data(), parts.data() + parts.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
    parts.remove_prefix(static_cast<std::size_t>(end - parts.data()));
    percent = parts.starts_with('%');
    const std::size_t next = parts.find_first_of(",)");
    parts.remove_prefix(next == std::string_view::npos ? parts.size() : next + 1);
  }
  return numbers;
}

/// "rgb(255,255,255)"
std::optional<Colour> rgb_colour(std::string_view parts) {
  constexpr double kPerPercent = 2.55;
  const auto numbers = three_numbers(parts);
  if (!numbers) return std::nullopt;
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const auto [number, percent] = (*numbers)[i];
    colour[i] = static_cast<int>(std::clamp(percent ? number * kPerPercent : number, 0.0, 255.0));
  }
  return colour;
}

/// "hsl(0,0%,100%)", as CSS Color 4 makes it RGB.
std::optional<Colour> hsl_colour(std::string_view parts) {
  constexpr double kPercent = 100, kSector = 30, kSectors = 12, kMost = 255;
  const auto numbers = three_numbers(parts);
  if (!numbers) return std::nullopt;
  const double hue = (*numbers)[0].first, light = std::clamp((*numbers)[2].first / kPercent, 0.0, 1.0);
  const double saturation = std::clamp((*numbers)[1].first / kPercent, 0.0, 1.0);
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    constexpr std::array<double, 3> kShift = {0, 8, 4};
    const double k = std::fmod(std::fmod(kShift[i] + hue / kSector, kSectors) + kSectors, kSectors);
    const double part = std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
    colour[i] = static_cast<int>(kMost * (light - saturation * std::min(light, 1 - light) * part));
  }
  return colour;
}

std::optional<Colour> parse_colour(std::string_view written) {
  const std::string name = compact_lower(written);
  const std::string_view flat = name;
  if (flat.empty()) return std::nullopt;
  if (flat.starts_with('#')) return hash_colour(flat.substr(1));
  const std::string_view parts = flat.substr(std::min(flat.find('('), flat.size() - 1) + 1);
  if (flat.starts_with("rgb(") || flat.starts_with("rgba(")) return rgb_colour(parts);
  if (flat.starts_with("hsl(") || flat.starts_with("hsla(")) return hsl_colour(parts);
  const auto known = std::ranges::find(kColours, flat, &std::pair<std::string_view, Colour>::first);
  if (known == kColours.end()) return std::nullopt;
  return known->second;
}

/// 0 to 1: of "rgba(r,g,b,a)", "#rgba" and "#rrggbbaa"; 1 of others.
double opacity_of(std::string_view colour) {
  constexpr double kMost = 255;
  const std::string flat = compact_lower(colour);
  if (flat.starts_with('#') && (flat.size() == 5 || flat.size() == 9)) {
    const auto last = hexadecimal(std::string_view(flat).substr(flat.size() == 5 ? 4 : 7));
    return !last ? 1 : *last * (flat.size() == 5 ? 17 : 1) / kMost;
  }
  const std::size_t comma = flat.starts_with("rgba(") ? flat.rfind(',') : std::string::npos;
  return comma == std::string::npos ? 1 : std::strtod(flat.c_str() + comma + 1, nullptr);
}

/// The number that a length begins with, and its unit.
std::optional<std::pair<double, std::string>> parse_length(std::string_view written) {
  const std::string flat = compact_lower(written);
  char* end = nullptr;
  const double number = std::strtod(flat.c_str(), &end);
  if (end == flat.c_str()) return std::nullopt;
  return std::pair(number, std::string(end));
}

/// Of one pixel at most: "rect(0,0,0,0)", "rect(1px1px1px1px)".
bool is_small_rectangle(std::string_view clip) {
  while (true) {
    const std::size_t digit = clip.find_first_of("0123456789a");
    if (digit == std::string_view::npos) return true;
    clip.remove_prefix(digit);
    int number = 0;  // "auto" has none
    const auto [end, error] = std::from_chars(clip.data(), clip.data() + clip.size(), number);
    if (error != std::errc() || number > 1) return false;
    clip.remove_prefix(static_cast<std::size_t>(end - clip.data()));
  }
}

/// The number after the first of these words, as in "scale(0)".
std::optional<double> number_in(std::string_view value, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const std::size_t at = value.find(word);
    if (at == std::string_view::npos) continue;
    if (const auto length = parse_length(value.substr(at + word.size()))) return length->first;
  }
  return std::nullopt;
}

}  // namespace

bool has_colour_of_ground(std::string_view colour, std::string_view ground) {
  const auto letters = parse_colour(colour);
  const auto under = ground.empty() ? Colour{255, 255, 255} : parse_colour(ground);
  // What is under a ground that is not opaque is seen through it.
  if (!letters || !under || opacity_of(ground) < 1) return false;
  for (std::size_t i = 0; i < letters->size(); ++i) {
    if (std::abs((*letters)[i] - (*under)[i]) >= kSameColour) return false;
  }
  return true;
}

bool is_tiny_length(std::string_view length) {
  constexpr double kTwoPoints = 0.0707, kEm = 0.15;
  const auto parsed = parse_length(length);
  if (!parsed || parsed->first < 0) return false;
  const auto& [number, unit] = *parsed;
  if (unit == "em" || unit == "rem") return number < kEm;
  if (number == 0) return unit != "%";
  const double centimetres = centimetres_of(length);
  return centimetres > 0 && centimetres < kTwoPoints;
}

double centimetres_of(std::string_view length) {
  constexpr double kInch = 2.54;
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits = {
      {{"cm", 1}, {"mm", 0.1}, {"in", kInch}, {"pc", kInch / 6}, {"pt", kInch / 72}, {"px", kInch / 96}}};
  const auto parsed = parse_length(length);
  if (!parsed) return 0;
  const auto* const unit =
      std::ranges::find(kUnits, parsed->second, &std::pair<std::string_view, double>::first);
  return unit == kUnits.end() ? 0 : parsed->first * unit->second;
}

const std::array<std::string_view, Declarations::kProperties> Declarations::kNames = {
    "background",
    "background-color",
    "background-image",
    "clip",
    "clip-path",
    "color",
    "content-visibility",
    "direction",
    "display",
    "filter",
    "font",
    "font-size",
    "height",
    "left",
    "letter-spacing",
    "margin-left",
    "max-height",
    "max-width",
    "opacity",
    "overflow",
    "position",
    "right",
    "-webkit-text-fill-color",
    "text-indent",
    "top",
    "transform",
    "unicode-bidi",
    "vertical-align",
    "visibility",
    "width",
    "zoom"};

void Declarations::add(std::string_view list) {
  constexpr std::size_t kMostValue = 64;
  constexpr std::string_view kImportant = "!important";
  for (const std::string_view one : split(list, ';')) {
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    const auto* const known = std::ranges::find(kNames, compact_lower(one.substr(0, colon)));
    if (known == kNames.end()) continue;
    std::string value = compact_lower(one.substr(colon + 1));
    const bool important = value.ends_with(kImportant);
    if (important) value.resize(value.size() - kImportant.size());
    if (value.size() > kMostValue) value.resize(kMostValue);
    set(static_cast<std::size_t>(known - kNames.begin()), std::move(value), important);
  }
}

void Declarations::add(const Declarations& later) {
  for (std::size_t property = 0; property < kProperties; ++property) {
    if ((later.set_ >> property & 1U) != 0)
      set(property, later.values_[property], (later.important_ >> property & 1U) != 0);
  }
}

void Declarations::set(std::size_t property, std::string value, bool important) {
  if (!important && (important_ >> property & 1U) != 0) return;
  values_[property] = std::move(value);
  set_ |= 1U << property;
  important_ |= static_cast<std::uint32_t>(important) << property;
}

std::string_view Declarations::ground() const noexcept {
  return get(background_color).empty() ? get(background) : get(background_color);
}

std::optional<bool> Declarations::leftward() const {
  if (get(direction).empty()) return std::nullopt;
  return get(direction) == "rtl";
}

/// Further left or up than anybody can scroll.
bool Declarations::is_off_screen() const {
  constexpr double kFar = -500;
  const auto is_far = [&](Property property) {
    const auto length = parse_length(get(property));
    return length && length->first <= kFar;
  };
  const bool placed = get(position) == "absolute" || get(position) == "fixed" || get(position) == "relative";
  const auto moved = number_in(get(transform), {"translate(", "translatex(", "translatey(", "translate3d("});
  return (placed && (is_far(left) || is_far(top) || is_far(right))) || is_far(text_indent) ||
         is_far(margin_left) || moved.value_or(0) <= kFar;
}

/// To nothing, or nearly: as text for screen readers only is, and what folds.
bool Declarations::is_clipped() const {
  constexpr double kPixel = 0.027, kHalf = 50;
  const auto is_nothing = [&](Property property) {
    const auto length = parse_length(get(property));
    return length && length->first >= 0 &&
           (length->first == 0 ||
            (centimetres_of(get(property)) > 0 && centimetres_of(get(property)) < kPixel));
  };
  const bool cut = get(overflow) == "hidden" || get(overflow) == "clip";
  if (cut && (is_nothing(height) || is_nothing(max_height) || is_nothing(width) || is_nothing(max_width)))
    return true;
  const bool placed = get(position) == "absolute" || get(position) == "fixed";
  if (placed && get(clip).starts_with("rect(") && is_small_rectangle(get(clip))) return true;
  const auto inset = number_in(get(clip_path), {"inset("});
  const auto circle = number_in(get(clip_path), {"circle(", "ellipse("});
  return inset.value_or(0) >= kHalf || circle.value_or(1) == 0;
}

/// By its font, or because its letters are drawn over each other.
bool Declarations::is_tiny() const {
  constexpr double kPercent = 15, kEm = -0.5, kPixels = -8;
  const auto size = parse_length(get(font_size)), spacing = parse_length(get(letter_spacing));
  if (is_tiny_length(get(font_size)) || (size && size->second == "%" && size->first < kPercent)) return true;
  if (spacing && (spacing->second == "em" ? spacing->first <= kEm
                                          : spacing->second == "px" && spacing->first <= kPixels))
    return true;
  const std::string& all = get(font);  // "italic 1px/2 serif"
  const std::size_t digit = all.find_first_of(".0123456789");
  if (digit != std::string::npos) {
    const std::size_t unit = all.find_first_not_of(".0123456789", digit);
    const std::size_t after = unit == std::string::npos ? all.size() : unit;
    const std::string number = all.substr(digit, after - digit);
    const std::string_view rest = std::string_view(all).substr(after);
    for (const char* known : {"px", "pt", "em", "mm"})
      if (rest.starts_with(known) && is_tiny_length(number + known)) return true;
    if (std::strtod(number.c_str(), nullptr) == 0 && (rest.empty() || rest.starts_with('/'))) return true;
  }
  return false;
}

bool Declarations::is_scaled_down() const {
  constexpr double kScale = 0.15, kHundred = 100;
  const auto zoomed = parse_length(get(zoom));
  if (zoomed && zoomed->first < (zoomed->second == "%" ? kScale * kHundred : kScale)) return true;
  const auto scaled = number_in(get(transform), {"scale(", "scalex(", "scaley(", "scale3d("});
  return scaled && std::abs(*scaled) < kScale;
}

bool Declarations::is_transparent() const {
  const auto length = parse_length(get(opacity));
  constexpr double kLeast = 0.05;
  if (number_in(get(filter), {"opacity("}).value_or(1) < kLeast) return true;
  // Letters filled with the picture of their ground are transparent, too.
  if (!set_ground() && get(text_fill_color) == "transparent") return true;
  return (length && length->first < kLeast && length->second.empty()) || get(color) == "transparent" ||
         opacity_of(get(color)) < kLeast;
}

HidingSet Declarations::hiding(bool on_ground) const {
  HidingSet ways = 0;
  if (get(display) == "none" || get(visibility) == "hidden" || get(visibility) == "collapse" ||
      get(content_visibility) == "hidden" || is_scaled_down())
    ways |= set_of(Hiding::switched_off);
  const bool known = !on_ground || !ground().empty();
  if (known && has_colour_of_ground(get(color), ground())) ways |= set_of(Hiding::colour);
  if (is_tiny()) ways |= set_of(Hiding::size);
  if (is_off_screen() || is_clipped()) ways |= set_of(Hiding::outside);
  return ways;
}

bool Declarations::set_size() const {
  constexpr std::array<std::string_view, 10> kUnits = {"cm", "in",  "mm", "pc",   "pt",
                                                       "px", "rem", "vh", "vmin", "vw"};
  constexpr std::array<std::string_view, 7> kWords = {"large",   "medium",   "small",    "x-large",
                                                      "x-small", "xx-large", "xxx-large"};
  const std::string& size = get(font_size);
  if (std::ranges::find(kWords, size) != kWords.end()) return true;
  const auto length = parse_length(size);
  return length && length->first > 0 && !is_tiny_length(size) &&
         std::ranges::find(kUnits, length->second) != kUnits.end();
}

bool Declarations::set_ground() const {
  return (!ground().empty() && ground() != "transparent" && ground() != "none") ||
         !get(background_image).empty();
}

}  // namespace akin::extract
