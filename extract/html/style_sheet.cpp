#include "extract/html/style_sheet.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/html/html_attributes.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

constexpr std::size_t kMostRules = 10000, kMostImports = 16;

/// Nor with the marks that keep style sheets from old browsers.
std::string without_comments(std::string_view css) {
  constexpr std::array<std::string_view, 2> kIgnored = {"<!--", "-->"};
  std::string out;
  while (true) {
    const std::size_t comment = css.find("/*");
    out += css.substr(0, comment);
    const std::size_t end = comment == std::string_view::npos ? comment : css.find("*/", comment + 2);
    if (end == std::string_view::npos) break;
    css.remove_prefix(end + 2);
  }
  for (const std::string_view mark : kIgnored)
    for (std::size_t at = 0; (at = out.find(mark, at)) != std::string::npos;)
      out.replace(at, mark.size(), mark.size(), ' ');
  return out;
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
  return !selector.empty() && selector.find_first_of(" \n\t\r\f>+~[:*&\\") == std::string_view::npos &&
         selector.find_first_of(".#", 1) == std::string_view::npos;
}

/// A string of CSS, whose quotation mark is at `at`, without its escapes; moves `at` past it.
std::string css_string(std::string_view css, std::size_t& at) {
  constexpr std::size_t kMostDigits = 6;
  constexpr std::uint32_t kHexadecimal = 16, kLastCharacter = 0x10FFFF;
  std::string text;
  const char quote = css[at++];
  while (at < css.size() && css[at] != quote) {
    if (css[at] != '\\') {
      text += css[at++];
      continue;
    }
    std::uint32_t code = 0;
    const std::string_view digits = css.substr(++at, kMostDigits);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, kHexadecimal).ptr;
    const auto read = static_cast<std::size_t>(end - digits.data());
    if (read == 0) {  // the next character means itself
      if (at < css.size()) text += css[at++];
      continue;
    }
    at += read;
    if (at < css.size() && is_markup_space(css[at])) ++at;
    const bool is_character = code > 0 && code <= kLastCharacter && (code < 0xD800 || code > 0xDFFF);
    append_utf8(text, is_character ? static_cast<char32_t>(code) : U'\uFFFD');
  }
  at = std::min(at + 1, css.size());
  return text;
}

/// Whether all screens have what a query asks for: "screen and (min-width:1px)".
bool is_of_every_screen(std::string_view query) {
  constexpr double kLeast = 8, kMost = 100;  // centimetres
  constexpr std::string_view kOnly = "only ", kAnd = " and ";
  /// What the usual ones have, too.
  constexpr std::array<std::string_view, 11> kOfScreens = {"notprint",
                                                           "(hover)",
                                                           "(hover:hover)",
                                                           "(any-hover:hover)",
                                                           "(pointer:fine)",
                                                           "(color)",
                                                           "(any-pointer:fine)",
                                                           "(orientation:landscape)",
                                                           "(width>1px)",
                                                           "(width>0)",
                                                           "(prefers-color-scheme:light)"};
  if (query.starts_with(kOnly)) query.remove_prefix(kOnly.size());
  while (true) {
    const std::size_t end = std::min(query.find(kAnd), query.size());
    std::string flat(query.substr(0, end));
    std::erase_if(flat, is_markup_space);
    const std::string_view one = flat;
    const std::size_t colon = one.find(':');
    if (std::ranges::find(kOfScreens, one) != kOfScreens.end()) {
      // Nothing else is asked for.
    } else if (colon != std::string_view::npos && one.ends_with(')')) {
      const std::string_view length = one.substr(colon + 1, one.size() - colon - 2);
      const bool is_zero = trimmed(length, kCssBlanks) == "0";
      const double size = centimetres_of(length);
      const bool all = one.starts_with("(min-") ? is_zero || (size > 0 && size <= kLeast)
                                                : one.starts_with("(max-") && size >= kMost;
      if (!all) return false;
    } else if (one != "all" && one != "screen") {
      return false;
    }
    if (end == query.size()) return true;
    query.remove_prefix(end + kAnd.size());
  }
}

/// Whether the rules in the block behind "@media …" hold wherever a page is read on a screen.
bool holds_on_every_screen(std::string_view selectors) {
  const std::string rule = ascii_lower(selectors);
  constexpr std::string_view kMedia = "@media", kContainer = "@container";
  if (rule.starts_with(kContainer) && rule.find('(') != std::string::npos)
    return is_of_every_screen(trimmed(std::string_view(rule).substr(rule.find('(')), kCssBlanks));
  if (rule.starts_with("@layer")) return true;
  if (rule.starts_with("@supports")) return !rule.starts_with("@supports not");
  return rule.starts_with(kMedia) &&
         std::ranges::any_of(
             split(std::string_view(rule).substr(kMedia.size()), ','),
             [](std::string_view one) { return is_of_every_screen(trimmed(one, kCssBlanks)); });
}

constexpr std::string_view kContent = "content", kMarks = "list-style";

/// The selectors of a rule within another: "&" is what that selects.
std::string within(const std::string& around, std::string_view selectors) {
  constexpr std::size_t kLongest = 4096;
  if (around.empty()) return std::string(selectors);
  const std::string parent = ":is(" + around + ")";
  std::string all;
  for (const std::string_view one : split_selectors(selectors)) {
    std::string whole(one);
    std::size_t at = whole.find('&');
    if (at == std::string::npos) whole.insert(0, parent + " ");
    for (; at != std::string::npos && whole.size() <= kLongest; at = whole.find('&', at + parent.size()))
      whole.replace(at, 1, parent);
    if (all.size() + whole.size() > kLongest) break;
    (all += all.empty() ? "" : ",") += whole;
  }
  return all;
}

/// A list of declarations without the rules in it.
std::string without_blocks(std::string_view block) {
  std::string out;
  for (std::size_t open = 0; (open = block.find('{')) != std::string_view::npos;) {
    out += block.substr(0, block.rfind(';', open) + 1);  // none if npos
    block.remove_prefix(end_of_block(block, open));
  }
  return out.append(block);
}

bool adds_text(std::string_view selectors) {
  return selectors.find(":before") != std::string_view::npos ||
         selectors.find(":after") != std::string_view::npos ||
         selectors.find(":marker") != std::string_view::npos;
}

bool has_letter(std::string_view utf8) {
  return std::ranges::any_of(to_utf32(utf8),
                             [](char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; });
}

constexpr std::string_view kDataSheet = "data:text/css";

/// Of the rules that may select an element.
std::vector<std::string> keys_of(const OpenElement& element) {
  std::vector<std::string> keys = {"*", element.tag};
  for (const std::string& one : element.classes) keys.push_back("." + one);
  if (!element.id.empty()) keys.push_back("#" + element.id);
  return keys;
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

std::string_view linked_style_sheet(const unsigned char* const* attributes) {
  std::string_view address;
  bool is_sheet = false, of_screen = true;
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]), value = xml_view(attributes[1]);
    if (name == "href") address = value;
    if (name == "rel") is_sheet = ascii_lower(trimmed(value)) == "stylesheet";
    if (name == "media") of_screen = value.empty() || holds_on_every_screen("@media " + std::string(value));
  }
  return is_sheet && of_screen ? address : std::string_view();
}

std::string sheet_in(std::string_view address) {
  if (!address.starts_with(kDataSheet)) return {};
  return data_of_address(address);
}

/// Of a declaration of `content` or `list-style`: "\"Words \" attr(data-title)". Of attributes only those
/// that pages make up: others are shown on paper, such as addresses.
void StyleSheet::take_strings(std::string_view property, std::string_view declarations) {
  constexpr std::string_view kAttribute = "attr(", kPicture = "url(", kMadeUp = "data-";
  constexpr std::size_t kLongestName = 64;
  std::size_t begin = declarations.find(property);
  while (begin != std::string_view::npos && begin > 0 && declarations[begin - 1] != ';' &&
         !is_markup_space(declarations[begin - 1]))
    begin = declarations.find(property, begin + 1);
  if (begin == std::string_view::npos) return;
  const std::string_view value = declarations.substr(begin + property.size());
  for (std::size_t at = 0; at < value.size() && value[at] != ';';) {
    if (value[at] == '"' || value[at] == '\'') {
      const std::string text = css_string(value, at);
      if (has_letter(text)) added_text_ += (added_text_.empty() ? "" : " ") + text;
    } else if (value.substr(at).starts_with(kPicture)) {
      at = std::min(value.find(')', at), value.size());
    } else if (value.substr(at).starts_with(kAttribute)) {
      const std::string_view inside = value.substr(at + kAttribute.size(), kLongestName);
      const std::string_view name = trimmed(inside.substr(0, inside.find_first_of(",)")), kCssBlanks);
      const std::string known = ascii_lower(name.substr(0, name.find(' ')));
      if (known.starts_with(kMadeUp)) added_attributes_.insert(known);
      at += kAttribute.size();
    } else {
      ++at;
    }
  }
}

std::string StyleSheet::marks_of(const unsigned char* const* attributes) {
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    if (xml_view(attributes[0]) != "style") continue;
    StyleSheet own;
    own.take_strings(kMarks, xml_view(attributes[1]));
    return own.added_text_.empty() ? std::string() : " " + own.added_text_;
  }
  return {};
}

std::string StyleSheet::added_of(const unsigned char* const* attributes) const {
  constexpr std::size_t kShortest = 40;
  std::string added;
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view value = xml_view(attributes[1]);
    if (value.size() >= kShortest && added_attributes_.contains(xml_view(attributes[0])))
      (added += ' ') += value;
  }
  return added;
}

void StyleSheet::add(std::string_view css) { add_rules(without_comments(css), {}, 0); }

/// `around`: the selectors of the rule that they stand in; `nested`: the blocks around them.
void StyleSheet::add_rules(std::string_view rest, const std::string& around, int nested) {
  constexpr int kMostNested = 8;
  for (rest = trimmed(rest, kCssBlanks); rest.starts_with("@import") || rest.starts_with("@charset");) {
    const std::string_view statement = rest.substr(0, find_outside(rest, ';'));
    if (rest.starts_with("@import")) take_import(statement);
    rest.remove_prefix(std::min(statement.size() + 1, rest.size()));
    rest = trimmed(rest, kCssBlanks);
  }
  for (std::size_t open = 0; (open = rest.find('{')) != std::string_view::npos;) {
    // Statements, such as "@charset", end with a semicolon.
    const std::string_view before = rest.substr(0, open);
    const std::size_t statement = before.rfind(';') + 1;  // 0 without one
    const std::string_view selectors = trimmed(before.substr(statement), kCssBlanks);
    const std::size_t end = end_of_block(rest, open);
    const std::string_view block = rest.substr(open + 1, end - open - 2);
    rest.remove_prefix(end);
    const bool at_rule = selectors.starts_with('@');
    if (const std::size_t open_scope = selectors.find('(');
        selectors.starts_with("@scope") && open_scope != selectors.npos) {
      const std::string_view scope = selectors.substr(open_scope + 1);
      if (nested < kMostNested)
        add_rules(block, within(around, scope.substr(0, find_outside(scope, ')'))), nested + 1);
      continue;
    }
    if (holds_on_every_screen(selectors)) {
      if (nested < kMostNested) add_rules(block, around, nested + 1);
      if (nested < kMostNested && !around.empty()) add_declarations(around, block);
    } else if (at_rule) {
      unknown_grounds_ = unknown_grounds_ || block.find("background") != std::string_view::npos;
    } else {
      const std::string whole = within(around, selectors);
      add_declarations(whole, block);
      if (nested < kMostNested && block.find('{') != std::string_view::npos)
        add_rules(block, whole, nested + 1);
    }
  }
}

void StyleSheet::take_import(std::string_view statement) {
  const std::size_t address = statement.find(kDataSheet);
  if (address == std::string_view::npos) {
    unknown_grounds_ = true;
    return;
  }
  const std::string_view rest = statement.substr(address);
  if (imports_++ < kMostImports) add(sheet_in(rest.substr(0, rest.find_first_of("\"')"))));
}

void StyleSheet::add_declarations(const std::string& selectors, std::string_view block) {
  const std::string declarations = without_blocks(block);
  Declarations declared;
  declared.add(declarations);
  if (adds_text(selectors)) take_strings(kContent, declarations);
  take_strings(kMarks, declarations);
  if (declared.empty()) return;
  for (const std::string_view one : split_selectors(selectors)) {
    if (number_of_rules_++ >= kMostRules) break;
    add_rule(one, declared);
  }
}

void StyleSheet::add_rule(std::string_view selector, const Declarations& declared) {
  constexpr std::uint32_t kIds = 1U << 16U, kClasses = 1U << 8U;
  const bool is_class_or_id = selector.starts_with('.') || selector.starts_with('#');
  if (is_simple(selector))
    return rules_[is_class_or_id ? std::string(selector) : ascii_lower(selector)].add(declared);
  auto parsed = Selector::parse(selector);
  if (parsed) {
    const std::uint32_t specificity = parsed->specificity();
    const Level level = specificity >= kIds ? of_ids : specificity >= kClasses ? of_classes : of_tags;
    std::string key = parsed->key();
    more_[level].emplace(std::move(key), Rule{*std::move(parsed), declared, number_of_rules_});
  } else if (declared.set_ground()) {
    unknown_grounds_ = true;
  }
}

StyleSheet::Level StyleSheet::level_of(std::string_view key) noexcept {
  return key.starts_with('#') ? of_ids : key.starts_with('.') ? of_classes : of_tags;
}

/// In the order of their specificity, and of rules of one in that of the sheet.
void StyleSheet::add_matching(Level level, std::span<const OpenElement> open,
                              std::span<const std::string> keys, Declarations& to, std::size_t& steps) const {
  const auto& rules = more_[level];
  if (rules.empty() || steps == 0) return;
  std::vector<const Rule*> matching;
  for (const std::string& key : keys) {
    const auto [first, last] = rules.equal_range(key);
    for (auto rule = first; rule != last; ++rule)
      if (rule->second.selector.matches(open, steps)) matching.push_back(&rule->second);
  }
  std::ranges::stable_sort(
      matching, {}, [](const Rule* rule) { return std::pair(rule->selector.specificity(), rule->number); });
  for (const Rule* rule : matching) to.add(rule->declared);
}

void StyleSheet::add_of(std::span<const OpenElement> open, Declarations& to, std::size_t& steps) const {
  if (number_of_rules_ == 0) return;
  const std::vector<std::string> keys = keys_of(open.back());
  for (const Level level : {of_tags, of_classes, of_ids}) {
    for (const std::string& key : keys) {
      const auto found = level_of(key) == level ? rules_.find(key) : rules_.end();
      if (found != rules_.end()) to.add(found->second);
    }
    add_matching(level, open, keys, to, steps);
  }
}

SharedSheet empty_sheet() {
  static const SharedSheet empty = std::make_shared<StyleSheet>();
  return empty;
}

void add_to(SharedSheet& sheet, std::string_view css) {
  if (sheet.use_count() > 1) sheet = std::make_shared<StyleSheet>(*sheet);
  sheet->add(css);
}

void LinkedSheets::add(SharedSheet& to, const std::string& css) {
  constexpr std::size_t kMost = 16;
  if (to.use_count() == 1) return to->add(css);  // of this page alone
  if (made_.size() == kMost) made_.clear();
  const auto [made, fresh] = made_.try_emplace({to, &css}, to);
  if (fresh) add_to(made->second, css);
  to = made->second;
}

}  // namespace akin::extract
