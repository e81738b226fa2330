#include "extract/html/element_look.h"

#include <optional>

#include "base/ascii.h"
#include "extract/html/element_names.h"
#include "extract/html/visibility.h"
#include "extract/xml_view.h"

namespace akin::extract {

Look look_of(std::span<OpenElement> open_elements, const unsigned char* const* attributes,
             const StyleSheet& sheet, bool on_ground, std::size_t& steps) {
  Look look;
  Declarations style;
  sheet.add_of(open_elements, style, steps);
  const std::string_view tag = open_elements.back().tag;
  std::string_view own;
  bool open = tag != "dialog";
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]), value = xml_view(attributes[1]);
    if ((name == "hidden" && (value != "until-found" || !is_one_of(kBlocks, tag))) || name == "popover")
      look.ways |= set_of(Hiding::switched_off);
    if (name == "role") look.navigation = value == "navigation";
    if (name == "role" || name == "epub:type") look.raised = value.ends_with("noteref");
    if (name == "open") open = true;
    if (name == "bgcolor" || name == "background") look.ground = true;
    if (name == "color" && !on_ground && has_colour_of_ground(value, "")) look.ways |= set_of(Hiding::colour);
    if (name == "style") own = value;
    if (name == "dir") look.direction.leftward = ascii_lower(value) == "rtl";
  }
  look.direction.overrides = tag == "bdo";
  if (!open || tag == "mphantom") look.ways |= set_of(Hiding::switched_off);
  style.add(own);
  if (style.empty()) return look;
  open_elements.back().variables = style.take_variables();
  // The style sheet comes after the beginning of the outermost element, whose variables most pages use.
  std::optional<Variables> outermost;
  style.resolve([&](std::string_view name) -> const std::string* {
    for (std::size_t at = open_elements.size(); at-- > 0;) {
      const auto found = open_elements[at].variables.find(name);
      if (found != open_elements[at].variables.end()) return &found->second;
    }
    if (!outermost) {
      Declarations of_page;
      sheet.add_of(open_elements.first(1), of_page, steps);
      outermost = of_page.take_variables();
    }
    const auto found = outermost->find(name);
    return found == outermost->end() ? nullptr : &found->second;
  });
  look.ground = look.ground || style.set_ground();
  look.ways |= style.hiding(on_ground);
  look.fades = (look.ways & set_of(Hiding::colour)) == 0 && style.is_transparent();
  if (look.fades) look.ways |= set_of(Hiding::colour);
  look.size = style.set_size();
  look.raised = look.raised || style.raise();
  if (const auto leftward = style.leftward()) look.direction.leftward = leftward;
  look.direction.overrides = look.direction.overrides || style.overrides_direction();
  return look;
}

}  // namespace akin::extract
