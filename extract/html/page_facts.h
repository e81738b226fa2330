// What an HTML page says about itself beside its text: descriptions in its head, linked data, links and
// pictures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace akin::extract {

inline constexpr std::size_t kMostStatements = 256;  ///< of a page; further ones are left out
inline constexpr std::size_t kMostStatement = 1024;  ///< bytes of a value; longer ones are left out
inline constexpr std::size_t kMostLinkedData = std::size_t{256}
                                               << 10U;  ///< bytes of a page's scripts of JSON-LD
inline constexpr std::size_t kMostLinks = 64;           ///< of a page; further ones are left out
inline constexpr std::size_t kMostImages = 1'000'000;

/// Everything is as the page writes it, in its order, UTF-8, and bounded.
struct PageFacts {
  struct Statement {
    std::string name;  ///< lower case
    std::string value;
    friend bool operator==(const Statement&, const Statement&) = default;
  };
  /// `content` of meta elements by their `property`, `name` or `itemprop`; `href` of link as "canonical" and
  /// of base as "base".
  std::vector<Statement> statements;
  std::vector<std::string> linked_data;  ///< scripts of the type application/ld+json
  /// Of what the page shows and Page::text keeps, so without menus: `datetime` of time, `href` of a, and the
  /// number of pictures and films of more than two pixels.
  std::vector<std::string> times, links;
  std::uint32_t images = 0;
};

/// Receives the elements of a page.
class FactCollector {
 public:
  /// The attributes are as libxml2 gives them: names and values by turns, null at the end; may be null.
  void element(std::string_view name, const unsigned char** attributes);
  /// The same for an element that the page shows.
  void shown_element(std::string_view name, const unsigned char** attributes);
  /// Text inside of any element.
  void characters(std::string_view text) {
    if (in_linked_data_ && data_.size() < kMostLinkedData) data_ += text;
  }
  void end(std::string_view name);

  /// What menus must not add to.
  struct Mark {
    std::size_t times = 0, links = 0;
    std::uint32_t images = 0;
  };
  [[nodiscard]] Mark mark() const noexcept {
    return {facts_.times.size(), facts_.links.size(), facts_.images};
  }
  /// Requires a mark of before, in reverse order if there are several.
  void back_to(const Mark& mark);

  [[nodiscard]] PageFacts take() && { return std::move(facts_); }

 private:
  void state(std::string_view name, std::string_view value);

  PageFacts facts_;
  std::string data_;
  std::size_t data_bytes_ = 0;
  bool in_linked_data_ = false;
};

}  // namespace akin::extract
