// The condition of an affix rule: a short pattern of characters, '.', [sets] and [^complements].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace akin {

class Condition {
 public:
  /// Always true, like ".".
  Condition() = default;

  /// Nothing if a bracket is not closed.
  [[nodiscard]] static std::optional<Condition> parse(std::u32string_view pattern);

  void reverse();

  /// The one letter that a word must end or begin with; 0 if there are several.
  [[nodiscard]] char32_t last_letter() const noexcept {
    return elements_.empty() ? U'\0' : elements_.back().only_letter();
  }
  [[nodiscard]] char32_t first_letter() const noexcept {
    return elements_.empty() ? U'\0' : elements_.front().only_letter();
  }

  [[nodiscard]] bool holds_at_end(std::u32string_view word) const noexcept;
  [[nodiscard]] bool holds_at_begin(std::u32string_view word) const noexcept;

 private:
  struct Element {
    std::u32string characters;
    bool complement = false;  // without characters: any character
    [[nodiscard]] char32_t only_letter() const noexcept {
      return characters.size() == 1 && !complement ? characters.front() : U'\0';
    }
    [[nodiscard]] bool accepts(char32_t c) const noexcept {
      return (characters.find(c) != std::u32string::npos) != complement;
    }
  };
  [[nodiscard]] bool holds(const char32_t* first) const noexcept;

  std::vector<Element> elements_;
};

}  // namespace akin
