// Markup that shows letters in the reverse of their order, as characters that do.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace akin::extract {

/// Follows the open elements that set a direction. The letters of one that overrides theirs from right to
/// left are put between U+202E and U+202C, which the text rules read as they are shown (docs/text-rules.md,
/// section 8). An override from left to right only counts within such an element.
class DirectionMarks {
 public:
  /// What an element says of itself.
  struct Said {
    std::optional<bool> leftward;
    bool overrides = false;  ///< the direction of its letters, be it its own or the one around it
  };

  /// An element begins at this depth. Returns what precedes its text: a mark, or nothing.
  std::string_view begin(std::size_t depth, const Said& said);
  /// The element at this depth ends. Returns what follows its text.
  std::string_view end(std::size_t depth);

 private:
  struct Open {
    std::size_t depth;
    bool leftward, marked;
  };
  std::vector<Open> open_;
  std::size_t reversed_ = 0;  ///< of them, those that are marked and leftward
};

}  // namespace akin::extract
