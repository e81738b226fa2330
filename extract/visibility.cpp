#include "extract/visibility.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
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

/// The number that a length begins with, and its unit.
std::optional<std::pair<double, std::string>> parse_length(std::string_view written) {
  const std::string flat = compact_lower(written);
  char* end = nullptr;
  const double number = std::strtod(flat.c_str(), &end);
  if (end == flat.c_str()) return std::nullopt;
  return std::pair(number, std::string(end));
}

/// Declarations by property; of several of one property the last counts.
class Declarations {
 public:
  explicit Declarations(std::string_view list) {
    for (const std::string_view one : split(list, ';')) {
      const std::size_t colon = one.find(':');
      if (colon == std::string_view::npos) continue;
      std::string value = compact_lower(one.substr(colon + 1));
      if (value.ends_with("!important")) value.resize(value.size() - 10);
      all_[compact_lower(one.substr(0, colon))] = std::move(value);
    }
  }
  [[nodiscard]] std::string_view get(std::string_view property) const {
    const auto found = all_.find(property);
    return found == all_.end() ? std::string_view() : found->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> all_;
};

std::string_view ground_of(const Declarations& style) {
  const std::string_view ground = style.get("background-color");
  return ground.empty() ? style.get("background") : ground;
}

/// Further left or up than anybody can scroll.
bool is_off_screen(const Declarations& style) {
  constexpr double kFar = -500;
  const auto is_far = [&](std::string_view property) {
    const auto length = parse_length(style.get(property));
    return length && length->first <= kFar;
  };
  const std::string_view position = style.get("position");
  const bool placed = position == "absolute" || position == "fixed";
  return (placed && (is_far("left") || is_far("top") || is_far("right"))) || is_far("text-indent") ||
         is_far("margin-left");
}

bool is_transparent(const Declarations& style) {
  const auto opacity = parse_length(style.get("opacity"));
  constexpr double kLeast = 0.05;
  return (opacity && opacity->first < kLeast && opacity->second.empty()) ||
         style.get("color") == "transparent";
}

}  // namespace

bool has_colour_of_ground(std::string_view colour, std::string_view ground) {
  const auto letters = parse_colour(colour);
  const auto under = ground.empty() ? Colour{255, 255, 255} : parse_colour(ground);
  if (!letters || !under) return false;
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
  if (unit == "pt") return number < kPoints;
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

HidingSet hiding_of_style(std::string_view declarations, bool on_ground) {
  const Declarations style(declarations);
  HidingSet ways = 0;
  const std::string_view visibility = style.get("visibility");
  if (style.get("display") == "none" || visibility == "hidden" || visibility == "collapse")
    ways |= set_of(Hiding::switched_off);
  const bool known = !on_ground || !ground_of(style).empty();
  if (is_transparent(style) || (known && has_colour_of_ground(style.get("color"), ground_of(style))))
    ways |= set_of(Hiding::colour);
  if (is_tiny_length(style.get("font-size"))) ways |= set_of(Hiding::size);
  if (is_off_screen(style)) ways |= set_of(Hiding::outside);
  return ways;
}

bool sets_ground(std::string_view declarations) {
  const Declarations style(declarations);
  const std::string_view ground = ground_of(style);
  return (!ground.empty() && ground != "transparent" && ground != "none") ||
         !style.get("background-image").empty();
}

}  // namespace akin::extract
