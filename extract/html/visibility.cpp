#include "extract/html/visibility.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

/// The share of full intensity by which colours must differ to be seen, in 255ths.
constexpr int kSameColour = 8;

using Colour = std::array<int, 3>;

constexpr std::array<std::pair<std::string_view, Colour>, 10> kColours = {{{"aqua", {0, 255, 255}},
                                                                           {"black", {0, 0, 0}},
                                                                           {"blue", {0, 0, 255}},
                                                                           {"cyan", {0, 255, 255}},
                                                                           {"fuchsia", {255, 0, 255}},
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

/// "rgb(255,255,255)"
std::optional<Colour> function_colour(std::string_view parts) {
  Colour colour{};
  for (int& part : colour) {
    const auto [end, error] = std::from_chars(parts.data(), parts.data() + parts.size(), part);
    if (error != std::errc()) return std::nullopt;
    parts.remove_prefix(static_cast<std::size_t>(end - parts.data()));
    if (!parts.empty()) parts.remove_prefix(1);
  }
  return colour;
}

std::optional<Colour> parse_colour(std::string_view written) {
  const std::string name = compact_lower(written);
  const std::string_view flat = name;
  if (flat.starts_with('#')) return hash_colour(flat.substr(1));
  if (flat.starts_with("rgb(")) return function_colour(flat.substr(4));
  if (flat.starts_with("rgba(")) return function_colour(flat.substr(5));
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
  constexpr double kPoints = 2, kPixels = 2.67, kEm = 0.15;
  const auto parsed = parse_length(length);
  if (!parsed || parsed->first < 0) return false;
  const auto& [number, unit] = *parsed;
  if (unit == "pt") return number <= kPoints;
  if (unit == "px") return number < kPixels;
  if (unit == "em" || unit == "rem") return number < kEm;
  return number == 0 && unit != "%";
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
    "background", "background-color", "background-image", "color",    "display", "font-size",
    "left",       "margin-left",      "opacity",          "position", "right",   "text-indent",
    "top",        "vertical-align",   "visibility"};

void Declarations::add(std::string_view list) {
  constexpr std::size_t kMostValue = 64;
  constexpr std::string_view kImportant = "!important";
  for (const std::string_view one : split(list, ';')) {
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    const auto* const known = std::ranges::find(kNames, compact_lower(one.substr(0, colon)));
    if (known == kNames.end()) continue;
    std::string value = compact_lower(one.substr(colon + 1));
    if (value.ends_with(kImportant)) value.resize(value.size() - kImportant.size());
    if (value.size() > kMostValue) value.resize(kMostValue);
    const auto property = static_cast<std::size_t>(known - kNames.begin());
    values_[property] = std::move(value);
    set_ = static_cast<std::uint16_t>(set_ | 1U << property);
  }
}

void Declarations::add(const Declarations& later) {
  for (std::size_t property = 0; property < kProperties; ++property) {
    if ((later.set_ >> property & 1U) != 0) values_[property] = later.values_[property];
  }
  set_ |= later.set_;
}

std::string_view Declarations::ground() const noexcept {
  return get(background_color).empty() ? get(background) : get(background_color);
}

/// Further left or up than anybody can scroll.
bool Declarations::is_off_screen() const {
  constexpr double kFar = -500;
  const auto is_far = [&](Property property) {
    const auto length = parse_length(get(property));
    return length && length->first <= kFar;
  };
  const bool placed = get(position) == "absolute" || get(position) == "fixed";
  return (placed && (is_far(left) || is_far(top) || is_far(right))) || is_far(text_indent) ||
         is_far(margin_left);
}

bool Declarations::is_transparent() const {
  const auto length = parse_length(get(opacity));
  constexpr double kLeast = 0.05;
  return (length && length->first < kLeast && length->second.empty()) || get(color) == "transparent" ||
         opacity_of(get(color)) < kLeast;
}

HidingSet Declarations::hiding(bool on_ground) const {
  HidingSet ways = 0;
  if (get(display) == "none" || get(visibility) == "hidden" || get(visibility) == "collapse")
    ways |= set_of(Hiding::switched_off);
  const bool known = !on_ground || !ground().empty();
  if (known && has_colour_of_ground(get(color), ground())) ways |= set_of(Hiding::colour);
  if (is_tiny_length(get(font_size))) ways |= set_of(Hiding::size);
  if (is_off_screen()) ways |= set_of(Hiding::outside);
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
