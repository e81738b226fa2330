#include "extract/html/css_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/ascii.h"
#include "extract/html/selector.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

/// In 255ths.
constexpr int kSameColour = 16;

constexpr std::array<std::pair<std::string_view, Colour>, 19> kColours = {{{"aliceblue", {240, 248, 255}},
                                                                           {"aqua", {0, 255, 255}},
                                                                           {"azure", {240, 255, 255}},
                                                                           {"black", {0, 0, 0}},
                                                                           {"blue", {0, 0, 255}},
                                                                           {"canvas", {255, 255, 255}},
                                                                           {"cyan", {0, 255, 255}},
                                                                           {"floralwhite", {255, 250, 240}},
                                                                           {"fuchsia", {255, 0, 255}},
                                                                           {"ghostwhite", {248, 248, 255}},
                                                                           {"honeydew", {240, 255, 240}},
                                                                           {"ivory", {255, 255, 240}},
                                                                           {"lime", {0, 255, 0}},
                                                                           {"mintcream", {245, 255, 250}},
                                                                           {"red", {255, 0, 0}},
                                                                           {"snow", {255, 250, 250}},
                                                                           {"white", {255, 255, 255}},
                                                                           {"whitesmoke", {245, 245, 245}},
                                                                           {"yellow", {255, 255, 0}}}};

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

/// Three numbers, of percentages their hundredths, and whether they are such: "255,255,255", "0deg,0%,100%".
using ThreeNumbers = std::array<std::pair<double, bool>, 3>;
std::optional<ThreeNumbers> three_numbers(std::string_view parts) {
  constexpr double kPercent = 100;
  ThreeNumbers numbers{};
  for (auto& [number, percent] : numbers) {
    const auto [end, error] = std::from_chars(parts.data(), parts.data() + parts.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
    parts.remove_prefix(static_cast<std::size_t>(end - parts.data()));
    percent = parts.starts_with('%');
    if (percent) number /= kPercent;
    const std::size_t next = parts.find_first_of(",)");
    parts.remove_prefix(next == std::string_view::npos ? parts.size() : next + 1);
  }
  return numbers;
}

/// "255,255,255", or of parts of `most`.
Colour rgb_colour(const ThreeNumbers& numbers, double most) {
  constexpr double kMost = 255;
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const auto [number, percent] = numbers[i];
    colour[i] = static_cast<int>(std::clamp(number / (percent ? 1 : most), 0.0, 1.0) * kMost);
  }
  return colour;
}

/// "0,0%,100%", as CSS Color 4 makes it RGB.
Colour hsl_colour(const ThreeNumbers& numbers) {
  constexpr double kSector = 30, kSectors = 12, kMost = 255;
  const double hue = numbers[0].first, light = std::clamp(numbers[2].first, 0.0, 1.0);
  const double saturation = std::clamp(numbers[1].first, 0.0, 1.0);
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    constexpr std::array<double, 3> kShift = {0, 8, 4};
    const double k = std::fmod(std::fmod(kShift[i] + hue / kSector, kSectors) + kSectors, kSectors);
    const double part = std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
    colour[i] = static_cast<int>(kMost * (light - saturation * std::min(light, 1 - light) * part));
  }
  return colour;
}

/// "0,100%,0%": a hue with so much white and black.
std::optional<Colour> hwb_colour(const ThreeNumbers& numbers) {
  constexpr double kNearly = 0.95;
  if (numbers[1].first >= kNearly) return kWhite;
  return numbers[2].first >= kNearly ? std::optional(Colour{}) : std::nullopt;
}

/// The lightness of "lab(100,0,0)" and the like is a part of `most`.
std::optional<Colour> light_colour(const ThreeNumbers& numbers, double most) {
  constexpr double kNearly = 0.97, kColourless = 0.02;
  const double light = numbers[0].first / (numbers[0].second ? 1 : most);
  const auto is_grey = [&](std::size_t i) { return std::abs(numbers[i].first) <= kColourless * most; };
  if (light >= kNearly && is_grey(1) && is_grey(2)) return kWhite;
  return light <= 1 - kNearly ? std::optional(Colour{}) : std::nullopt;
}

/// Computes "2px*3-min(1px,50%)" of a compact value. Of several units the last one is that of the whole.
class Calculation {
 public:
  explicit Calculation(std::string_view rest) : rest_(rest) {}

  std::optional<std::pair<double, std::string>> run() {
    const double value = sum();
    if (!rest_.empty() || wrong_ || !std::isfinite(value)) return std::nullopt;
    return std::pair(value, unit_);
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  double sum() {
    double value = product();
    while (rest_.starts_with('+') || rest_.starts_with('-')) {
      const bool minus = take('-') || !take('+');
      value += minus ? -product() : product();
    }
    return value;
  }

  double product() {
    double value = term();
    while (rest_.starts_with('*') || rest_.starts_with('/')) {
      if (take('*')) value *= term();
      if (take('/')) value /= term();
    }
    return value;
  }

  double term() {
    constexpr int kMostNested = 16;
    const std::size_t bracket =
        std::min(rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), rest_.size());
    const std::string_view name = rest_.substr(0, bracket);
    if (!rest_.substr(bracket).starts_with('(')) return number();
    rest_.remove_prefix(bracket + 1);
    std::vector<double> values;
    wrong_ = wrong_ || ++nested_ > kMostNested;
    while (!wrong_ && (values.empty() || take(','))) values.push_back(sum());
    --nested_;
    if (wrong_ || !take(')')) return wrong();
    if (name == "min") return std::ranges::min(values);
    if (name == "max") return std::ranges::max(values);
    if (name == "clamp" && values.size() == 3) return std::max(values[0], std::min(values[1], values[2]));
    return (name.empty() || name == "calc") && values.size() == 1 ? values.front() : wrong();
  }

  double number() {
    const std::string text(rest_);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return wrong();
    rest_.remove_prefix(static_cast<std::size_t>(end - text.c_str()));
    const std::size_t unit = std::min(rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz%"), rest_.size());
    if (unit > 0) unit_ = rest_.substr(0, unit);
    rest_.remove_prefix(unit);
    return value;
  }

  double wrong() {
    wrong_ = true;
    return 0;
  }

  std::string_view rest_;
  std::string unit_;
  int nested_ = 0;
  bool wrong_ = false;
};

}  // namespace

bool is_same_colour(const Colour& one, const Colour& other) noexcept {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (std::abs(one[i] - other[i]) >= kSameColour) return false;
  return true;
}

std::string compact_value(std::string_view written) {
  constexpr std::string_view kOperators = "*/+-";
  std::string flat;
  int depth = 0;
  bool parted = false;  // by white space
  const std::string lower = ascii_lower(written);
  for (std::size_t at = 0; at < lower.size(); ++at) {
    const char c = lower[at];
    if (is_markup_space(c)) {
      parted = true;
      continue;
    }
    const bool is_operator = kOperators.find(c) != std::string_view::npos && at + 1 < lower.size() &&
                             is_markup_space(lower[at + 1]);
    const bool after_one =
        !flat.empty() && (std::string_view(",(*/").find(flat.back()) != std::string_view::npos ||
                          (parted && kOperators.find(flat.back()) != std::string_view::npos));
    if (parted && depth > 0 && !is_operator && !after_one && c != ',' && c != ')' && c != '*' && c != '/')
      flat += ',';
    parted = false;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    flat += c;
  }
  return flat;
}

std::optional<Colour> parse_colour(std::string_view written) {
  const std::string name = compact_value(written);
  const std::string_view flat = name;
  if (flat.starts_with('#')) return hash_colour(flat.substr(1));
  const std::size_t bracket = flat.find('(');
  if (bracket == std::string_view::npos) {
    const auto known = std::ranges::find(kColours, flat, &std::pair<std::string_view, Colour>::first);
    return known == kColours.end() ? std::nullopt : std::optional(known->second);
  }
  constexpr double kMostOfPart = 255, kPercent = 100;
  const std::string_view kind = flat.substr(0, bracket);
  std::string_view parts = flat.substr(bracket + 1);
  if (kind == "light-dark") return parse_colour(parts.substr(0, find_outside(parts, ',')));
  if (kind == "color") parts.remove_prefix(std::min(parts.find(','), parts.size() - 1) + 1);  // the space
  auto numbers = three_numbers(parts);
  if (!numbers) return std::nullopt;
  if (kind == "rgb" || kind == "rgba") return rgb_colour(*numbers, kMostOfPart);
  if (kind == "color") return rgb_colour(*numbers, 1);
  if (kind == "lab") return light_colour(*numbers, kPercent);
  if (kind == "oklab") return light_colour(*numbers, 1);
  if (kind == "lch" || kind == "oklch") {
    (*numbers)[2] = {};  // the hue
    return light_colour(*numbers, kind == "lch" ? kPercent : 1);
  }
  for (auto& [number, percent] : *numbers)
    if (!percent) number /= kPercent;
  if (kind == "hwb") return hwb_colour(*numbers);
  if (kind != "hsl" && kind != "hsla") return std::nullopt;
  (*numbers)[0].first *= kPercent;
  return hsl_colour(*numbers);
}

double opacity_of(std::string_view colour) {
  constexpr double kMost = 255, kPercent = 100;
  const std::string flat = compact_value(colour);
  if (flat.starts_with('#') && (flat.size() == 5 || flat.size() == 9)) {
    const auto last = hexadecimal(std::string_view(flat).substr(flat.size() == 5 ? 4 : 7));
    return !last ? 1 : *last * (flat.size() == 5 ? 17 : 1) / kMost;
  }
  std::size_t at = flat.find('(') == std::string::npos ? std::string::npos : flat.find('/');
  if (at == std::string::npos && std::ranges::count(flat, ',') == 3) at = flat.rfind(',');
  if (at == std::string::npos) return 1;
  char* end = nullptr;
  const double value = std::strtod(flat.c_str() + at + 1, &end);
  return *end == '%' ? value / kPercent : value;
}

std::optional<std::pair<double, std::string>> parse_length(std::string_view written) {
  const std::string flat = compact_value(written);
  for (const char* known : {"calc(", "min(", "max(", "clamp("})
    if (flat.starts_with(known)) return Calculation(flat).run();
  char* end = nullptr;
  const double number = std::strtod(flat.c_str(), &end);
  if (end == flat.c_str()) return std::nullopt;
  return std::pair(number, std::string(end));
}

std::optional<double> number_in(std::string_view value, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const std::size_t at = value.find(word);
    if (at == std::string_view::npos) continue;
    if (const auto length = parse_length(value.substr(at + word.size()))) return length->first;
  }
  return std::nullopt;
}

}  // namespace akin::extract
