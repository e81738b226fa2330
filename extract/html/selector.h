// Selectors of style sheets that ask for several tags, classes and ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace akin::extract {

/// An open element of a page.
struct OpenElement {
  std::string tag, id;
  std::vector<std::string> classes;
};

/// `attributes` as libxml2 gives them.
[[nodiscard]] OpenElement open_element(std::string_view tag, const unsigned char* const* attributes);

/// Of one element and those around it: "p.note", "ul > li span", "#menu *".
class Selector {
 public:
  /// Nothing for a selector that asks for more, such as "a:hover", "h1 + p" and "[lang]", or for very much.
  [[nodiscard]] static std::optional<Selector> parse(std::string_view written);

  /// Whether it selects the last of these open elements. Takes a step off `steps` for each element that it
  /// looks at, and gives up without any.
  [[nodiscard]] bool matches(std::span<const OpenElement> open, std::size_t& steps) const;
  /// A simple selector that each element has which it selects: "#id", ".class", "tag" or "*".
  [[nodiscard]] std::string key() const;
  /// Of two declarations that of the greater specificity counts: ids, classes and tags, a byte each.
  [[nodiscard]] std::uint32_t specificity() const;

 private:
  struct Part {
    std::string tag, id;
    std::vector<std::string> classes;
    bool child = false;  ///< the part before it is of the parent
  };

  [[nodiscard]] static bool fits(const Part& part, const OpenElement& element);
  [[nodiscard]] bool fits_around(std::size_t part, std::span<const OpenElement> open,
                                 std::size_t& steps) const;

  std::vector<Part> parts_;  ///< that of the element last
};

}  // namespace akin::extract
