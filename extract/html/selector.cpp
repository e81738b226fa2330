#include "extract/html/selector.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

constexpr std::string_view kNameEnds = ".#> \t\r\n\f";

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && !is_markup_space(text[at])) ++at;
    if (at > begin) words.emplace_back(text.substr(begin, at - begin));
  }
  return words;
}

}  // namespace

OpenElement open_element(std::string_view tag, const unsigned char* const* attributes) {
  OpenElement element{std::string(tag), "", {}};
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]);
    if (name == "id") element.id = xml_view(attributes[1]);
    if (name == "class") element.classes = split_at_blanks(xml_view(attributes[1]));
  }
  return element;
}

std::optional<Selector> Selector::parse(std::string_view written) {
  constexpr std::size_t kMostElements = 8;
  if (written.find_first_of("+~[:\\\"'(") != std::string_view::npos) return std::nullopt;
  Selector selector;
  bool child = false, new_part = true;
  while (!written.empty()) {
    const char c = written.front();
    if (is_markup_space(c) || c == '>') {
      child = child || c == '>';
      new_part = true;
      written.remove_prefix(1);
      continue;
    }
    if (std::exchange(new_part, false)) {
      if (selector.parts_.size() == kMostElements || (child && selector.parts_.empty())) return std::nullopt;
      selector.parts_.emplace_back().child = std::exchange(child, false);
    }
    const bool is_tag = c != '.' && c != '#';
    const std::string_view rest = written.substr(is_tag ? 0 : 1);
    const std::string name(rest.substr(0, rest.find_first_of(kNameEnds)));
    if (name.empty()) return std::nullopt;
    Part& part = selector.parts_.back();
    if (c == '.') part.classes.push_back(name);
    if (c == '#') part.id = name;
    if (is_tag && name != "*") part.tag = ascii_lower(name);
    written.remove_prefix(name.size() + (is_tag ? 0 : 1));
  }
  if (selector.parts_.empty() || child) return std::nullopt;
  return selector;
}

bool Selector::fits(const Part& part, const OpenElement& element) {
  return (part.tag.empty() || part.tag == element.tag) && (part.id.empty() || part.id == element.id) &&
         std::ranges::all_of(part.classes, [&](const std::string& one) {
           return std::ranges::find(element.classes, one) != element.classes.end();
         });
}

bool Selector::fits_around(std::size_t part, std::span<const OpenElement> open, std::size_t& steps) const {
  for (; !open.empty() && steps > 0; open = open.first(open.size() - 1)) {
    --steps;
    if (fits(parts_[part], open.back()) &&
        (part == 0 || fits_around(part - 1, open.first(open.size() - 1), steps)))
      return true;
    const bool only_parent = part + 1 == parts_.size() || parts_[part + 1].child;
    if (only_parent) return false;
  }
  return false;
}

bool Selector::matches(std::span<const OpenElement> open, std::size_t& steps) const {
  return fits_around(parts_.size() - 1, open, steps);
}

std::string Selector::key() const {
  const Part& last = parts_.back();
  if (!last.id.empty()) return "#" + last.id;
  if (!last.classes.empty()) return "." + last.classes.front();
  return last.tag.empty() ? "*" : last.tag;
}

std::uint32_t Selector::specificity() const {
  std::uint32_t ids = 0, classes = 0, tags = 0;
  for (const Part& part : parts_) {
    ids += part.id.empty() ? 0 : 1;
    classes += static_cast<std::uint32_t>(part.classes.size());
    tags += part.tag.empty() ? 0 : 1;
  }
  return ids << 16U | std::min(classes, 255U) << 8U | tags;
}

}  // namespace akin::extract
