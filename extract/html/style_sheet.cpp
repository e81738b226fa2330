#include "extract/html/style_sheet.h"

#include "base/ascii.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

constexpr std::size_t kMostRules = 10000;
constexpr std::string_view kCssBlanks = " \t\r\n\f";

std::string without_comments(std::string_view css) {
  std::string out;
  while (true) {
    const std::size_t comment = css.find("/*");
    out += css.substr(0, comment);
    const std::size_t end = comment == std::string_view::npos ? comment : css.find("*/", comment + 2);
    if (end == std::string_view::npos) return out;
    css.remove_prefix(end + 2);
  }
}

/// Where the block that opens at `open` ends, with its brace.
std::size_t end_of_block(std::string_view css, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < css.size(); ++at) {
    if (css[at] == '{') ++depth;
    if (css[at] == '}' && --depth == 0) return at + 1;
  }
  return css.size();
}

bool is_simple(std::string_view selector) {
  return !selector.empty() && selector.find_first_of(" \n\t\r\f>+~[:*") == std::string_view::npos &&
         selector.find_first_of(".#", 1) == std::string_view::npos;
}

}  // namespace

bool links_style_sheet(const unsigned char* const* attributes) {
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]);
    const std::string value = ascii_lower(xml_view(attributes[1]));
    if (name == "rel" && value.find("stylesheet") != std::string::npos) return true;
    if (name == "as" && value == "style") return true;
  }
  return false;
}

void StyleSheet::add(std::string_view css) {
  const std::string clean = without_comments(css);
  std::string_view rest = clean;
  for (std::size_t open = 0; (open = rest.find('{')) != std::string_view::npos;) {
    const std::string_view selectors = trimmed(rest.substr(0, open), kCssBlanks);
    const std::size_t end = end_of_block(rest, open);
    Declarations declared;
    declared.add(rest.substr(open + 1, end - open - 2));
    const bool at_rule = selectors.starts_with('@');
    if (at_rule && rest.substr(open, end - open).find("background") != std::string_view::npos)
      unknown_grounds_ = true;
    rest.remove_prefix(end);
    if (declared.empty() || at_rule || rules_.size() >= kMostRules) continue;
    for (const std::string_view one : split(selectors, ',')) {
      const std::string_view selector = trimmed(one, kCssBlanks);
      if (is_simple(selector))
        rules_[std::string(selector)].add(declared);
      else if (declared.set_ground())
        unknown_grounds_ = true;
    }
  }
}

void StyleSheet::add_of(std::string_view selector, Declarations& to) const {
  const auto found = rules_.find(selector);
  if (found != rules_.end()) to.add(found->second);
}

void StyleSheet::add_of_classes(std::string_view classes, Declarations& to) const {
  if (rules_.empty()) return;
  for (std::size_t at = 0; at < classes.size();) {
    const std::size_t begin = at;
    while (at < classes.size() && !is_markup_space(classes[at])) ++at;
    if (at > begin) add_of("." + std::string(classes.substr(begin, at - begin)), to);
    ++at;
  }
}

void StyleSheet::add_of_id(std::string_view id, Declarations& to) const {
  if (!rules_.empty()) add_of("#" + std::string(id), to);
}

}  // namespace akin::extract
