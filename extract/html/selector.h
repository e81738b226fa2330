// Selectors of style sheets, as far as they depend on an element, those around it and those before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace akin::extract {

inline constexpr std::string_view kCssBlanks = " \t\r\n\f";

/// An open element of a page.
struct OpenElement {
  std::string tag, id;
  std::vector<std::string> classes;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::map<std::string, std::string, std::less<>> variables = {};  ///< of style sheets
  std::size_t look = 0;  ///< 0 of a block; else a hash of what may make its letters look otherwise
  std::vector<OpenElement> children = {};  ///< those that have ended, in order, without their own
};

/// `attributes` as libxml2 gives them.
[[nodiscard]] OpenElement open_element(std::string_view tag, const unsigned char* const* attributes);

/// So many ended elements are kept, in a page of any length.
inline constexpr std::size_t kMostKeptElements = 100'000;

/// Begins an element within these.
void begin_element(std::vector<OpenElement>& open, OpenElement element, bool is_block);

/// Ends the last of these elements, which becomes a child of the one around it if that is to be kept.
void end_element(std::vector<OpenElement>& open, bool is_kept);

/// "p.note", "ul > li span", "#menu *", "b + i", "[lang]", ":is(p, div):not(.a)", "li:nth-child(2n+1)". What
/// an element may become (:hover, :checked) it is not.
class Selector {
 public:
  /// Nothing for a selector that asks for more, such as "p::before" and ":last-child", or for very much.
  [[nodiscard]] static std::optional<Selector> parse(std::string_view written) { return parse(written, 0); }

  /// Whether it selects the last of these open elements. Takes a step off `steps` for each element that it
  /// looks at, and gives up without any.
  [[nodiscard]] bool matches(std::span<const OpenElement> open, std::size_t& steps) const;
  /// A simple selector that each element has which it selects: "#id", ".class", "tag" or "*".
  [[nodiscard]] std::string key() const;
  /// Of two declarations that of the greater specificity counts: ids, classes and tags, a byte each.
  [[nodiscard]] std::uint32_t specificity() const;

 private:
  /// "[name]" without a sign, "[name^=value]" with its sign.
  struct Attribute {
    std::string name, value;
    char sign = 0;
  };
  /// ":nth-child(an+b)", or the same among elements of one tag.
  struct Place {
    int every = 0, from = 0;
    bool of_tag = false;
  };
  struct OneOf {
    std::vector<Selector> selectors;
    bool negated = false, counts = true;  ///< for the specificity
  };
  struct Part {
    std::string tag, id;
    std::vector<std::string> classes;
    std::vector<Attribute> attributes;
    std::vector<Place> places;
    std::vector<OneOf> lists;
    bool never = false;  ///< it asks for a state in which no page begins
    char sign = ' ';     ///< that parts it from the one before it: ' ', '>', '+' or '~'
  };

  /// An element, those around it from the outermost on, and those before it in the innermost of these.
  struct Here {
    const OpenElement* element;
    std::span<const OpenElement> around, before;
  };

  [[nodiscard]] static std::optional<Selector> parse(std::string_view written, int nested);
  [[nodiscard]] static bool add_attribute(std::string_view written, Part& to);
  [[nodiscard]] static bool add_pseudo_class(std::string_view written, int nested, Part& to);
  [[nodiscard]] static bool has(const OpenElement& element, const Attribute& wanted);
  [[nodiscard]] static Here last_of(std::span<const OpenElement> open);
  [[nodiscard]] static bool fits(const Part& part, const Here& here, std::size_t& steps);
  /// Whether the parts up to this one fit, of which it is the element's.
  [[nodiscard]] bool fits_to(std::size_t part, const Here& here, std::size_t& steps) const;

  std::vector<Part> parts_;  ///< that of the element last
};

/// How many bytes precede the first of `wanted` outside of brackets and strings, or all.
[[nodiscard]] std::size_t find_outside(std::string_view css, char wanted);

/// The parts of a list that commas divide, but for those within brackets and strings.
[[nodiscard]] std::vector<std::string_view> split_selectors(std::string_view list);

}  // namespace akin::extract
