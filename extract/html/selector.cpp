#include "extract/html/selector.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <utility>

#include "base/ascii.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

constexpr std::string_view kNameEnds = ".#[:>+~ \t\r\n\f", kSigns = ">+~";

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && !is_markup_space(text[at])) ++at;
    if (at > begin) words.emplace_back(text.substr(begin, at - begin));
  }
  return words;
}

/// Moves past "name", or past "name(…)" and "[…]" with their brackets, and returns it.
std::string_view take_name(std::string_view& text) {
  std::size_t size = 1;
  if (text.front() == '[') {
    size = find_outside(text.substr(1), ']') + 2;
  } else {
    while (size < text.size() && kNameEnds.find(text[size]) == std::string_view::npos && text[size] != '(')
      size += text[size] == '\\' ? 2 : 1;
    if (size < text.size() && text[size] == '(') size += find_outside(text.substr(size + 1), ')') + 2;
  }
  const std::string_view name = text.substr(0, size);
  text.remove_prefix(name.size());
  return name;
}

/// Without the signs that quote the next one: "a\\:b".
std::string unquoted(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '\\' && at + 1 < name.size()) ++at;
    plain += name[at];
  }
  return plain;
}

/// The a and b of "an+b", "odd", "even" or a number.
std::optional<std::pair<int, int>> steps_of(std::string_view written) {
  std::string flat = ascii_lower(written);
  std::erase_if(flat, is_markup_space);
  if (flat == "odd") return std::pair(2, 1);
  if (flat == "even") return std::pair(2, 0);
  const auto number = [](std::string_view digits) -> std::optional<int> {
    int value = 0;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const std::size_t n = flat.find('n');
  if (n == std::string::npos) {
    const auto from = number(flat);
    return from ? std::optional(std::pair(0, *from)) : std::nullopt;
  }
  const std::string every = flat.substr(0, n), from = flat.substr(n + 1);
  const auto a = every.empty() || every == "+" ? 1 : every == "-" ? -1 : number(every);
  const auto b = from.empty() ? 0 : number(from);
  return a && b ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

}  // namespace

std::size_t find_outside(std::string_view text, char wanted) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == wanted && depth == 0) return at;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '"' || c == '\'') at = std::min(text.find(c, at + 1), text.size());
  }
  return text.size();
}

void begin_element(std::vector<OpenElement>& open, OpenElement element, bool is_block) {
  if (!is_block) {
    std::string says = std::to_string(open.empty() ? 0 : open.back().look) + element.tag;
    for (const auto& [name, value] : element.attributes)
      if (name == "class" || name == "style") (says += '\n') += value;
    element.look = std::hash<std::string>()(says);
  }
  open.push_back(std::move(element));
}

void end_element(std::vector<OpenElement>& open, bool is_kept) {
  if (open.size() > 1 && is_kept) {
    open.back().children.clear();
    open.back().variables.clear();
    open[open.size() - 2].children.push_back(std::move(open.back()));
  }
  if (!open.empty()) open.pop_back();
}

OpenElement open_element(std::string_view tag, const unsigned char* const* attributes) {
  OpenElement element{std::string(tag), {}, {}, {}};
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]), value = xml_view(attributes[1]);
    if (name == "id") element.id = value;
    if (name == "class") element.classes = split_at_blanks(value);
    element.attributes.emplace_back(name, value);
  }
  return element;
}

std::vector<std::string_view> split_selectors(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t size = find_outside(list, ',');
    parts.push_back(trimmed(list.substr(0, size), kCssBlanks));
    list.remove_prefix(std::min(size + 1, list.size()));
  }
  return parts;
}

std::optional<Selector> Selector::parse(std::string_view written, int nested) {
  constexpr std::size_t kMostElements = 8, kLongest = 4096;
  if (written.size() > kLongest) return std::nullopt;
  Selector selector;
  char sign = ' ';
  bool new_part = true;
  while (!written.empty()) {
    const char c = written.front();
    if (is_markup_space(c) || kSigns.find(c) != std::string_view::npos) {
      if (!is_markup_space(c) && std::exchange(sign, c) != ' ') return std::nullopt;
      new_part = true;
      written.remove_prefix(1);
      continue;
    }
    if (std::exchange(new_part, false)) {
      if (selector.parts_.size() == kMostElements || (sign != ' ' && selector.parts_.empty()))
        return std::nullopt;
      selector.parts_.emplace_back().sign = std::exchange(sign, ' ');
    }
    Part& part = selector.parts_.back();
    const std::string_view name = take_name(written);
    const std::string_view rest = name.substr(1);
    if (c == '[') {
      if (!add_attribute(rest, part)) return std::nullopt;
    } else if (c == ':') {
      if (!add_pseudo_class(rest, nested, part)) return std::nullopt;
    } else if (c == '.' || c == '#') {
      if (rest.empty()) return std::nullopt;
      if (c == '.') part.classes.push_back(unquoted(rest));
      if (c == '#') part.id = unquoted(rest);
    } else if (name != "*") {
      part.tag = ascii_lower(unquoted(name));
    }
  }
  if (selector.parts_.empty() || sign != ' ') return std::nullopt;
  return selector;
}

/// `written`: "name^=value]"
bool Selector::add_attribute(std::string_view written, Part& to) {
  constexpr std::string_view kQuotes = "\"'", kAttributeSigns = "~|^$*";
  if (!written.ends_with(']')) return false;
  written.remove_suffix(1);
  const std::size_t equals = std::min(written.find('='), written.size());
  Attribute attribute;
  std::string_view name = written.substr(0, equals);
  if (equals < written.size()) {
    attribute.sign = '=';
    if (!name.empty() && kAttributeSigns.find(name.back()) != std::string_view::npos) {
      attribute.sign = name.back();
      name.remove_suffix(1);
    }
    std::string_view value = trimmed(written.substr(equals + 1), kCssBlanks);
    const bool quoted = !value.empty() && kQuotes.find(value.front()) != std::string_view::npos;
    const std::size_t end = quoted ? value.find(value.front(), 1) : value.find_first_of(kCssBlanks);
    attribute.value = value.substr(quoted ? 1 : 0, quoted && end != std::string_view::npos ? end - 1 : end);
  }
  attribute.name = ascii_lower(trimmed(name, kCssBlanks));
  to.attributes.push_back(std::move(attribute));
  return true;
}

/// `written`: "not(…)" or "hover".
bool Selector::add_pseudo_class(std::string_view written, int nested, Part& to) {
  constexpr int kMostNested = 4;
  constexpr std::array<std::string_view, 7> kStates = {"active", "focus",  "focus-visible", "focus-within",
                                                       "hover",  "target", "visited"};
  const std::size_t bracket = std::min(written.find('('), written.size());
  const std::string name = ascii_lower(written.substr(0, bracket));
  std::string_view inside = written.substr(std::min(bracket + 1, written.size()));
  if (inside.ends_with(')')) inside.remove_suffix(1);
  if (std::ranges::find(kStates, name) != kStates.end()) return to.never = true;
  // An element with text is not empty.
  if (name == "empty") return to.never = true;
  if (name == "defined" || name == "enabled" || name == "read-only") return true;
  if (name == "any-link" || name == "link") return add_attribute("href]", to);
  if (name == "lang") return add_attribute("lang|=" + std::string(inside) + "]", to);
  if (name == "checked" || name == "disabled") return add_attribute(name + "]", to);
  if (name == "root" || name == "scope") {
    to.tag = "html";
    return true;
  }
  if (name == "first-child" || name == "first-of-type") {
    to.places.push_back({0, 1, name == "first-of-type"});
    return true;
  }
  if (name == "nth-child" || name == "nth-of-type") {
    const auto steps = steps_of(inside);
    if (steps) to.places.push_back({steps->first, steps->second, name == "nth-of-type"});
    return steps.has_value();
  }
  const bool negated = name == "not";
  if ((name != "is" && name != "where" && !negated) || nested == kMostNested) return false;
  OneOf list{{}, negated, name != "where"};
  for (const std::string_view one : split_selectors(inside)) {
    auto selector = parse(one, nested + 1);
    if (!selector) return false;
    list.selectors.push_back(*std::move(selector));
  }
  to.lists.push_back(std::move(list));
  return true;
}

bool Selector::has(const OpenElement& element, const Attribute& wanted) {
  const auto found =
      std::ranges::find(element.attributes, wanted.name, &std::pair<std::string, std::string>::first);
  if (found == element.attributes.end()) return false;
  const std::string_view value = found->second;
  switch (wanted.sign) {
    case '=':
      return value == wanted.value;
    case '^':
      return !wanted.value.empty() && value.starts_with(wanted.value);
    case '$':
      return !wanted.value.empty() && value.ends_with(wanted.value);
    case '*':
      return !wanted.value.empty() && value.find(wanted.value) != std::string_view::npos;
    case '|':
      return value == wanted.value || value.starts_with(wanted.value + "-");
    case '~':
      return std::ranges::count(split_at_blanks(value), wanted.value) > 0;
    default:
      return true;
  }
}

bool Selector::fits(const Part& part, const Here& here, std::size_t& steps) {
  const OpenElement& element = *here.element;
  const bool counts_tags = std::ranges::any_of(part.places, &Place::of_tag);
  steps -=
      std::min(steps, part.attributes.size() + part.lists.size() + (counts_tags ? here.before.size() : 0));
  if (steps == 0) return false;
  const auto is_at = [&](const Place& place) {
    const auto before = place.of_tag ? std::ranges::count(here.before, element.tag, &OpenElement::tag)
                                     : static_cast<std::ptrdiff_t>(here.before.size());
    const auto beyond = static_cast<std::ptrdiff_t>(before) + 1 - place.from;
    return place.every == 0 ? beyond == 0 : beyond % place.every == 0 && beyond / place.every >= 0;
  };
  const auto is_in = [&](const OneOf& list) {
    return list.negated != std::ranges::any_of(list.selectors, [&](const Selector& one) {
             return one.fits_to(one.parts_.size() - 1, here, steps);
           });
  };
  return !part.never && (part.tag.empty() || part.tag == element.tag) &&
         (part.id.empty() || part.id == element.id) &&
         std::ranges::all_of(part.classes,
                             [&](const std::string& one) {
                               return std::ranges::find(element.classes, one) != element.classes.end();
                             }) &&
         std::ranges::all_of(part.attributes, [&](const Attribute& one) { return has(element, one); }) &&
         std::ranges::all_of(part.places, is_at) && std::ranges::all_of(part.lists, is_in);
}

Selector::Here Selector::last_of(std::span<const OpenElement> open) {
  const auto around = open.first(open.size() - 1);
  return {&open.back(), around, around.empty() ? std::span<const OpenElement>() : around.back().children};
}

bool Selector::fits_to(std::size_t part, const Here& here, std::size_t& steps) const {
  if (steps == 0) return false;
  --steps;
  if (!fits(parts_[part], here, steps)) return false;
  if (part == 0) return true;
  const char sign = parts_[part].sign;
  if (sign == '+' || sign == '~') {
    for (auto before = here.before; !before.empty(); before = before.first(before.size() - 1)) {
      const Here sibling{&before.back(), here.around, before.first(before.size() - 1)};
      if (fits_to(part - 1, sibling, steps)) return true;
      if (sign == '+' || steps == 0) return false;
    }
    return false;
  }
  for (auto around = here.around; !around.empty() && steps > 0; around = around.first(around.size() - 1)) {
    if (fits_to(part - 1, last_of(around), steps)) return true;
    if (sign == '>') return false;
  }
  return false;
}

bool Selector::matches(std::span<const OpenElement> open, std::size_t& steps) const {
  return fits_to(parts_.size() - 1, last_of(open), steps);
}

std::string Selector::key() const {
  const Part& last = parts_.back();
  if (!last.id.empty()) return "#" + last.id;
  if (!last.classes.empty()) return "." + last.classes.front();
  return last.tag.empty() ? "*" : last.tag;
}

std::uint32_t Selector::specificity() const {
  std::uint32_t ids = 0, classes = 0, tags = 0, lists = 0;
  for (const Part& part : parts_) {
    ids += part.id.empty() ? 0 : 1;
    classes += static_cast<std::uint32_t>(part.classes.size() + part.attributes.size() + part.places.size());
    tags += part.tag.empty() ? 0 : 1;
    for (const OneOf& list : part.lists) {
      std::uint32_t most = 0;
      for (const Selector& one : list.selectors) most = std::max(most, one.specificity());
      lists += list.counts ? most : 0;
    }
  }
  return (ids << 16U | std::min(classes, 255U) << 8U | tags) + lists;
}

}  // namespace akin::extract
