#include "extract/child/office/docx_look.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "base/hex.h"
#include "extract/child/office/docx_values.h"
#include "extract/child/office/quotation_styles.h"
#include "extract/html/css_values.h"

namespace akin::extract {

namespace {

/// A part of a colour in two hexadecimal digits, 0 to 1; 1 without them.
double share_of(std::string_view digits) {
  constexpr double kMost = 255;
  const std::optional<char> byte = byte_of_hex(digits);
  return byte ? static_cast<unsigned char>(*byte) / kMost : 1.0;
}

/// The colour of an element of OOXML. Without a theme, that of one is known for white only, which a shade of
/// 255 leaves.
std::string colour_of(const XmlAttributes& attributes, const DocxTheme& of) {
  if (std::string known = of.colour(attributes); !known.empty()) return known;
  const std::string_view theme = attributes.get("themeColor"), shade = attributes.get("themeShade");
  if ((theme == "background1" || theme == "light1") && (shade.empty() || ascii_lower(shade) == "ff"))
    return "#ffffff";
  const std::string_view value = attributes.get("val");
  return value.empty() || value == "auto" ? std::string() : "#" + std::string(value);
}

/// Whether a number is this or less; none is not.
bool is_at_most(std::string_view written, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
  return error == std::errc() && number <= most;
}

}  // namespace

void DocxTheme::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "srgbClr") {
    colours_.emplace(now_, attributes.get("val"));
  } else if (name == "sysClr") {
    colours_.emplace(now_, attributes.get("lastClr"));
  } else {
    now_ = name;
  }
}

std::string DocxTheme::colour(const XmlAttributes& attributes) const {
  constexpr double kMost = 255;
  std::string name(attributes.get("themeColor"));
  for (const auto& [ours, theirs] :
       {std::pair("text", "dk"), {"dark", "dk"}, {"background", "lt"}, {"light", "lt"}})
    if (name.starts_with(ours)) name = theirs + name.substr(name.size() - 1);
  if (name == "hyperlink") name = "hlink";
  const auto known = name.empty() ? colours_.end() : colours_.find(name);
  const auto colour = known == colours_.end() ? std::nullopt : parse_colour("#" + known->second);
  if (!colour) return {};
  const double tint = share_of(attributes.get("themeTint")), shade = share_of(attributes.get("themeShade"));
  std::string mixed;
  for (const int part : *colour)
    mixed += static_cast<char>(static_cast<unsigned char>((part * tint + kMost * (1 - tint)) * shade));
  return "#" + hex_of(mixed);
}

bool is_on(const XmlAttributes& attributes) {
  const std::string_view value = attributes.get("val");
  return value.empty() || (value != "0" && value != "false" && value != "off" && value != "none");
}

std::string docx_ground(const XmlAttributes& attributes) {
  const std::string_view fill = attributes.get("fill"), pattern = attributes.get("val");
  const std::string_view colour = pattern == "solid" ? attributes.get("color") : fill;
  const bool patterned = !pattern.empty() && pattern != "clear" && pattern != "nil" && pattern != "solid";
  if (patterned || (fill == "auto" && !attributes.get("themeFill").empty()))
    return std::string(kUnknownGround);
  return colour.empty() || colour == "auto" ? std::string() : "#" + std::string(colour);
}

void take_property(LetterLook& look, std::string_view name, const XmlAttributes& attributes,
                   const DocxTheme& theme) {
  constexpr int kTiny = 4, kNarrow = 9;  // half points; percent of the width
  constexpr std::array<std::string_view, 20> kVisible = {
      "b",       "color",      "dstrike", "effect",   "emboss", "fitText", "highlight",
      "i",       "imprint",    "outline", "position", "rFonts", "rStyle",  "shd",
      "spacing", "specVanish", "strike",  "sz",       "u",      "w"};
  const std::string_view value = attributes.get("val");
  if (std::ranges::binary_search(kVisible, name))
    for (const char* said : {"val", "themeColor", "fill", "ascii"}) look.add_kind(name, attributes.get(said));
  if (name == "vanish") look.vanishes = is_on(attributes);
  if (name == "sz") look.tiny = is_at_most(value, kTiny);
  if (name == "w") look.narrow = is_at_most(value, kNarrow);
  if (name == "spacing" && !value.empty()) {
    look.overlapped = is_at_most(value, kOverlappingLetters);
    look.condensed = is_at_most(value, kWidthlessBlank);
  }
  if (name == "vertAlign") look.raised = value == "superscript";
  if (name == "position" && !value.empty()) look.raised = value.front() >= '1' && value.front() <= '9';
  if (name == "color") look.colour = colour_of(attributes, theme);
  if (name == "shd") look.ground = docx_ground(attributes);
  if (name == "highlight") look.ground = is_on(attributes) ? std::string(value) : std::string();
}

void LettersAsShapes::end(std::string_view name) {
  if (name == "textFill" || name == "textOutline") filling_ = outlining_ = false;
}

bool LettersAsShapes::take(LetterLook& look, std::string_view name, const XmlAttributes& attributes) {
  constexpr int kTransparent = 95000, kSeen = 94000;  // thousandths of a percent
  if (name == "textFill" || name == "textOutline") {
    filling_ = name == "textFill";
    outlining_ = !filling_;
  } else if (!filling_ && !outlining_) {
    return false;
  } else if (outlining_) {
    outlined_ = outlined_ || name == "solidFill" || name == "gradFill";
  } else if (name == "srgbClr") {
    look.colour = "#" + std::string(attributes.get("val"));
  } else if (name == "schemeClr") {
    const std::string_view colour = attributes.get("val");
    look.colour = colour == "bg1" || colour == "lt1" ? "#ffffff" : "";
  } else if (name == "lumMod" && twentieths(attributes.get("val")) < kSeen) {
    look.colour = "";
  } else if (name == "noFill" || (name == "alpha" && twentieths(attributes.get("val")) >= kTransparent)) {
    look.vanishes = !outlined_;
  }
  return true;
}

void DocxListPlace::take(std::string_view name, const XmlAttributes& attributes) {
  if (name == "numId") list = attributes.get("val");
  if (name == "ilvl") level = attributes.get("val");
}

void DocxStyles::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "style") {
    id_ = attributes.get("styleId");
    const bool is_default = attributes.get("default") == "1" || attributes.get("default") == "true";
    if (is_default && attributes.get("type") == "paragraph") default_paragraph_ = id_;
  }
  if (name == "docDefaults") in_defaults_ = true;
  if (name == "tblStylePr" || name == "tblPr" || name == "tcPr") ++conditions_;
  Style& style = styles_[id_];
  if (in_defaults_) {
    take_property(defaults_, name, attributes, theme_);
  } else if (conditions_ > 0) {
    style.shades = style.shades || (name == "shd" && !docx_ground(attributes).empty());
  } else {
    take_property(style.look, name, attributes, theme_);
    style.list.take(name, attributes);
  }
  if (name == "basedOn") style.base = attributes.get("val");
  if (name == "outlineLvl" && attributes.get("val") < "9") headings_.insert(id_);
  if (name != "name") return;
  const std::string known = ascii_lower(attributes.get("val"));
  if (known.starts_with("heading ") || known == "title") headings_.insert(id_);
  if (is_quotation_style(attributes.get("val"))) style.look.set_off = true;
}

void DocxStyles::end(std::string_view name) {
  if (name == "docDefaults") in_defaults_ = false;
  if (conditions_ > 0 && (name == "tblStylePr" || name == "tblPr" || name == "tcPr")) --conditions_;
}

template <class Visit>
void DocxStyles::for_each_base(std::string_view style, const Visit& visit) const {
  constexpr int kMostBases = 32;  // a chain may be a circle
  for (int i = 0; i < kMostBases && !style.empty(); ++i) {
    const auto found = styles_.find(style);
    if (found == styles_.end()) return;
    visit(found->second);
    style = found->second.base;
  }
}

LetterLook DocxStyles::resolved(std::string_view style) const {
  std::vector<const LetterLook*> chain;
  for_each_base(style, [&](const Style& one) { chain.push_back(&one.look); });
  LetterLook look;
  for (auto one = chain.rbegin(); one != chain.rend(); ++one) look.add(**one);
  return look;
}

LetterLook DocxStyles::paragraph(std::string_view style) const {
  LetterLook look = defaults_;
  look.add(resolved(style.empty() ? default_paragraph_ : style));
  return look;
}

DocxListPlace DocxStyles::list_place(std::string_view style) const {
  DocxListPlace place;
  for_each_base(style.empty() ? default_paragraph_ : style, [&](const Style& one) {
    if (place.list.empty()) place.list = one.list.list;
    if (place.level.empty()) place.level = one.list.level;
  });
  return place;
}

bool DocxStyles::shades_cells(std::string_view style) const {
  bool shades = false;
  for_each_base(style, [&](const Style& one) { shades = shades || one.shades; });
  return shades;
}

}  // namespace akin::extract
