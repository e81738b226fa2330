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
#include "extract/html/css_values.h"
#include "extract/html/selector.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

constexpr std::size_t kMostValue = 64;
/// Properties of text that runs from left to right.
using SameName = std::pair<std::string_view, std::string_view>;
constexpr std::array<SameName, 5> kSameAs = {{{"block-size", "height"},
                                              {"inline-size", "width"},
                                              {"inset-inline-start", "left"},
                                              {"max-block-size", "max-height"},
                                              {"max-inline-size", "max-width"}}};
constexpr std::string_view kVariable = "var(";

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

/// A mask of nothing but "linear-gradient(transparent, transparent)".
bool is_empty_mask(std::string_view mask) {
  constexpr std::string_view kStop = "transparent";
  const std::size_t bracket = mask.find("gradient(");
  if (bracket == std::string_view::npos) return false;
  const std::string_view stops = mask.substr(mask.find('(', bracket) + 1);
  return std::ranges::all_of(split(stops.substr(0, stops.find(')')), ','), [&](std::string_view stop) {
    return stop.starts_with(kStop) || stop.starts_with("to") || stop.find("deg") != std::string_view::npos;
  });
}

}  // namespace

bool has_colour_of_ground(std::string_view colour, std::string_view ground) {
  const auto letters = parse_colour(colour);
  const auto under = ground.empty() ? kWhite : parse_colour(ground);
  // What is under a ground that is not opaque is seen through it.
  return letters && under && opacity_of(ground) >= 1 && is_same_colour(*letters, *under);
}

bool is_tiny_length(std::string_view length) {
  constexpr double kTwoPoints = 0.0707, kEm = 0.15;
  const auto parsed = parse_length(length);
  if (!parsed || parsed->first < 0) return false;
  const auto& [number, unit] = *parsed;
  constexpr std::array<std::string_view, 8> kRelative = {"ch", "em", "ex", "rem", "vh", "vmax", "vmin", "vw"};
  if (std::ranges::find(kRelative, unit) != kRelative.end()) return number < kEm;
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
    "bottom",
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
    "inset",
    "left",
    "letter-spacing",
    "margin",
    "margin-left",
    "margin-top",
    "mask",
    "mask-image",
    "max-height",
    "max-width",
    "opacity",
    "overflow",
    "position",
    "right",
    "rotate",
    "scale",
    "-webkit-text-fill-color",
    "text-indent",
    "top",
    "transform",
    "translate",
    "unicode-bidi",
    "vertical-align",
    "visibility",
    "width",
    "zoom"};

void Declarations::add(std::string_view list) {
  constexpr std::size_t kMostVariables = 256;
  constexpr std::string_view kImportant = "!important", kOfVendor = "-webkit-";
  for (const std::string_view one : split(list, ';')) {
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    std::string name = ascii_lower(trimmed(one.substr(0, colon), kCssBlanks));
    if (name.starts_with("--")) {
      const std::string_view value = trimmed(one.substr(colon + 1), kCssBlanks);
      if (variables_.size() < kMostVariables && value.size() <= kMostValue) variables_[name] = value;
      continue;
    }
    if (name.starts_with("-webkit-mask")) name.erase(0, kOfVendor.size());
    const auto* const same = std::ranges::find(kSameAs, name, &SameName::first);
    const auto* const known = std::ranges::find(kNames, same == kSameAs.end() ? name : same->second);
    if (known == kNames.end()) continue;
    std::string value = compact_value(one.substr(colon + 1));
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
  for (const auto& [name, value] : later.variables_) variables_[name] = value;
}

void Declarations::set(std::size_t property, std::string value, bool important) {
  if (!important && (important_ >> property & 1U) != 0) return;
  values_[property] = std::move(value);
  set_ |= std::uint64_t{1} << property;
  important_ |= static_cast<std::uint64_t>(important) << property;
}

void Declarations::resolve(const FindVariable& find) {
  constexpr int kMost = 16;
  for (std::string& value : values_) {
    for (int count = 0; count < kMost; ++count) {
      const std::size_t at = value.rfind(kVariable);  // the innermost
      const std::size_t end = at == std::string::npos ? at : value.find(')', at);
      if (end == std::string::npos) break;
      const std::size_t begin = at + kVariable.size(), comma = std::min(value.find(',', begin), end);
      const std::string* const found = find(value.substr(begin, comma - begin));
      if (found == nullptr && comma == end) break;
      value.replace(at, end + 1 - at, found != nullptr ? *found : value.substr(comma + 1, end - comma - 1));
      value = compact_value(value);
      if (value.size() > kMostValue) value.resize(kMostValue);
    }
  }
}

std::string_view Declarations::ground() const noexcept {
  return get(background_color).empty() ? get(background) : get(background_color);
}

std::optional<bool> Declarations::leftward() const {
  if (get(direction).empty()) return std::nullopt;
  return get(direction) == "rtl";
}

/// Further left or up than anybody can scroll, or further right or down than anybody does.
bool Declarations::is_off_screen() const {
  constexpr double kFar = -500, kBeyond = 5000;
  const auto is_beyond = [](double pixels) { return pixels <= kFar || pixels >= kBeyond; };
  const auto is_far = [&](Property property) {
    constexpr std::array<std::pair<std::string_view, double>, 4> kPixels = {
        {{"em", 16}, {"rem", 16}, {"vh", 8}, {"vw", 12.8}}};
    const auto length = parse_length(get(property));
    if (!length) return false;
    const auto* const unit =
        std::ranges::find(kPixels, length->second, &std::pair<std::string_view, double>::first);
    return is_beyond(length->first * (unit == kPixels.end() ? 1 : unit->second));
  };
  const bool placed = get(position) == "absolute" || get(position) == "fixed" || get(position) == "relative";
  const auto moved = number_in(get(transform), {"translate(", "translatex(", "translatey(", "translate3d("});
  const auto is_one_far = [&](std::initializer_list<Property> properties) {
    return std::ranges::any_of(properties, is_far);
  };
  return (placed && is_one_far({bottom, inset, left, right, top})) ||
         is_one_far({margin, margin_left, margin_top, text_indent, translate}) ||
         is_beyond(moved.value_or(0));
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
  if (get(clip_path).starts_with("polygon(") &&
      get(clip_path).find_first_of("123456789") == std::string::npos)
    return true;
  const auto cut_off = number_in(get(clip_path), {"inset("});
  const auto circle = number_in(get(clip_path), {"circle(", "ellipse("});
  return cut_off.value_or(0) >= kHalf || circle.value_or(1) == 0;
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

/// To nothing, or nearly, or seen from its edge.
bool Declarations::is_scaled_down() const {
  constexpr double kScale = 0.15, kHundred = 100, kEdge = 90;
  auto turned = number_in(get(transform), {"rotatex(", "rotatey("});
  if (!get(rotate).empty() && (get(rotate).front() == 'x' || get(rotate).front() == 'y'))
    turned = number_in(get(rotate), {"x", "y"});
  if (turned && std::abs(*turned) == kEdge) return true;
  if (get(transform).starts_with("matrix(0,0,")) return true;
  const auto zoomed = parse_length(get(zoom));
  if (zoomed && zoomed->first < (zoomed->second == "%" ? kScale * kHundred : kScale)) return true;
  const auto scaled = number_in(get(transform), {"scale(", "scalex(", "scaley(", "scale3d("});
  const auto also_scaled = parse_length(get(scale));
  return (scaled && std::abs(*scaled) < kScale) || (also_scaled && std::abs(also_scaled->first) < kScale);
}

bool Declarations::is_transparent() const {
  auto length = parse_length(get(opacity));
  constexpr double kLeast = 0.05, kPercent = 100;
  if (length && length->second == "%") length = std::pair(length->first / kPercent, "");
  if (number_in(get(filter), {"opacity("}).value_or(1) < kLeast) return true;
  if (is_empty_mask(get(mask)) || is_empty_mask(get(mask_image))) return true;
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
  // Black letters become white.
  const bool inverted = number_in(get(filter), {"invert("}).value_or(0) >= 1 && get(color).empty();
  if (!on_ground && inverted && !set_ground()) ways |= set_of(Hiding::colour);
  if (known &&
      has_colour_of_ground(get(text_fill_color).empty() ? get(color) : get(text_fill_color), ground()))
    ways |= set_of(Hiding::colour);
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
