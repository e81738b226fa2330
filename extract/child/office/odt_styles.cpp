#include "extract/child/office/odt_styles.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "extract/child/office/letter_look.h"
#include "extract/child/office/list_labels.h"
#include "extract/child/office/quotation_styles.h"
#include "extract/html/visibility.h"

namespace akin::extract {

namespace {

constexpr const char* kLists = "list";  ///< the family of levels of lists

std::string key(std::string_view family, std::string_view name) {
  return std::string(family.empty() ? "text" : family) + "/" + std::string(name);
}

std::string ground_of(const XmlAttributes& attributes) {
  const std::string_view ground = attributes.get("fo", "background-color");
  return ground == "transparent" ? std::string() : std::string(ground);
}

/// The number that a value begins with; 0 of any other.
double number_of(std::string_view value) {
  double number = 0;
  const std::string_view written = trimmed(value);
  std::from_chars(written.data(), written.data() + written.size(), number);
  return number;
}

/// Whether a size in percent of that around is too small to be read.
bool is_tiny_share(std::string_view percent) {
  constexpr double kLeast = 15;
  return percent.ends_with('%') && number_of(percent) < kLeast;
}

void look_of_paragraph(LetterLook& look, const XmlAttributes& attributes) {
  constexpr double kSetOff = 0.5, kFarOff = -10;
  if (const std::string_view left = attributes.get("fo", "margin-left"); !left.empty()) {
    look.set_off = centimetres_of(left) >= kSetOff && !attributes.get("fo", "text-indent").starts_with('-');
    look.outside = centimetres_of(left) <= kFarOff;
  }
  if (const std::string_view height = attributes.get("fo", "line-height"); !height.empty())
    look.low = is_tiny_length(height);
}

/// Of letters: how wide, how opaque and how large they are beside the others.
void look_of_letters(LetterLook& look, const XmlAttributes& attributes) {
  constexpr double kPerCentimetre = 567;  // twentieths of a point
  constexpr double kTransparent = 5;      // percent
  const std::string_view spacing = attributes.get("fo", "letter-spacing"),
                         opacity = attributes.get("loext", "opacity"),
                         place = attributes.get("style", "text-position");
  if (!spacing.empty()) {
    const double by = centimetres_of(spacing) * kPerCentimetre;
    look.condensed = by <= kWidthlessBlank;
    look.overlapped = by <= kOverlappingLetters;
  }
  // LibreOffice writes that letters of the automatic colour have no opacity.
  const bool automatic = attributes.get("style", "use-window-font-color") == "true";
  if (automatic || !opacity.empty()) look.transparent = !automatic && number_of(opacity) < kTransparent;
  if (place.empty()) return;
  look.raised = place.starts_with("super") || (place.front() >= '1' && place.front() <= '9');
  look.shrunk = is_tiny_share(place.substr(std::min(place.find(' '), place.size())));
}

LetterLook look_of(std::string_view name, const XmlAttributes& attributes) {
  LetterLook look;
  if (std::string ground = ground_of(attributes); !ground.empty()) look.ground = std::move(ground);
  if (name == "graphic-properties" && !look.ground) look.ground = kUnknownGround;
  if (name == "paragraph-properties") look_of_paragraph(look, attributes);
  const std::string_view display = attributes.get("text", "display");
  if (!display.empty()) look.vanishes = display == "none";
  if (name != "text-properties") return look;
  for (const char* said :
       {"color", "font-family", "font-name", "font-size", "font-style", "font-weight", "letter-spacing",
        "opacity", "text-position", "text-scale", "text-underline-style"})
    if (const std::string_view value = attributes.get(said); !value.empty()) look.add_kind(said, value);
  const std::string_view size = attributes.get("fo", "font-size"),
                         scale = attributes.get("style", "text-scale");
  if (!size.empty()) look.tiny = is_tiny_length(size) || is_tiny_share(size);
  if (!scale.empty()) look.narrow = scale.size() == 2;  // "9%"
  if (const std::string_view colour = attributes.get("fo", "color"); !colour.empty()) look.colour = colour;
  if (attributes.get("style", "use-window-font-color") == "true") look.colour = "";
  look_of_letters(look, attributes);
  return look;
}

}  // namespace

void OdtStyles::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "style" || name == "default-style") {
    const std::string family(attributes.get("style", "family"));
    key_ = key(family, attributes.get("style", "name"));
    const std::string_view parent = attributes.get("style", "parent-style-name");
    if (!parent.empty() || name == "style") styles_[key_].parent = key(family, parent);
    const std::string_view shown = attributes.get("style", "display-name");
    if (family == "paragraph" && is_quotation_style(shown.empty() ? attributes.get("style", "name") : shown))
      styles_[key_].look.set_off = true;
    styles_[key_].list = attributes.get("style", "list-style-name");
  }
  if (name == "list-style") list_ = attributes.get("style", "name");
  if (name == "outline-style") list_ = kOutline;
  if (name.starts_with("list-level-style-") || name == "outline-level-style") start_level(attributes);
  if (!name.ends_with("-properties")) return;
  // The page's own ground is under everything.
  if (name == "page-layout-properties") {
    if (const std::string ground = ground_of(attributes); !ground.empty()) page_ = ground;
    return;
  }
  styles_[key_].look.add(look_of(name, attributes));
}

LetterLook OdtStyles::look(std::string_view family, std::string_view name) const {
  constexpr int kMostBases = 32;  // a chain may be a circle
  std::vector<const LetterLook*> chain;
  std::string at = key(family, name);
  for (int i = 0; i < kMostBases; ++i) {
    const auto found = styles_.find(at);
    if (found == styles_.end()) break;
    chain.push_back(&found->second.look);
    if (found->second.parent.empty()) break;
    at = found->second.parent;
  }
  LetterLook look;
  for (auto one = chain.rbegin(); one != chain.rend(); ++one) look.add(**one);
  return look;
}

std::pair<std::string, LetterLook> OdtStyles::label(const std::string& list, std::size_t level) const {
  const std::string name = list + "/" + std::to_string(level);
  const auto found = labels_.find(name);
  if (found == labels_.end() || found->second.empty()) return {};
  return {found->second, look(kLists, name)};
}

std::string OdtStyles::list_of(std::string_view paragraph) const {
  const auto found = styles_.find(key("paragraph", paragraph));
  return found == styles_.end() ? std::string() : found->second.list;
}

void OdtStyles::start_level(const XmlAttributes& attributes) {
  const std::string name = list_ + "/" + std::string(attributes.get("text", "level"));
  key_ = key(kLists, name);
  styles_[key_].parent = key("text", attributes.get("text", "style-name"));
  std::string label(attributes.get("style", "num-prefix"));
  label += ' ';
  label += attributes.get("style", "num-suffix");
  if (const std::string_view format = attributes.get("loext", "num-list-format"); !format.empty()) {
    label.clear();
    bool in_number = false;
    for (const std::string_view part : split(format, '%')) {
      if (!in_number) label += part;
      in_number = !in_number;
    }
  }
  labels_[name] = text_of_label(label);
}

}  // namespace akin::extract
