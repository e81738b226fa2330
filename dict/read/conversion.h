// ICONV and OCONV: Hunspell's replacements in a word before it looks it up, and in a stem before it returns
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace akin {

class ConversionTable {
 public:
  /// An underscore before or after the pattern ties it to the word's start or end; other underscores are
  /// blanks.
  void add(std::u32string_view pattern, std::u32string_view replacement);

  [[nodiscard]] bool empty() const noexcept { return rules_.empty(); }

  /// One pass from left to right; at each place the longest pattern wins.
  [[nodiscard]] std::u32string apply(std::u32string_view word) const;

  /// Spellings that `apply` turns into `word`: for each rule the word with every occurrence of the
  /// replacement undone, and the word itself if `apply` does not change it. Words that mix several rules'
  /// patterns are not listed.
  [[nodiscard]] std::vector<std::u32string> sources_of(std::u32string_view word) const;

  /// Whether some pattern or replacement may occur in the word; if not, its only source is the word itself.
  [[nodiscard]] bool may_touch(std::u32string_view word) const noexcept;

 private:
  struct Rule {
    std::u32string pattern;
    std::u32string anywhere, at_begin, at_end, whole;  // replacements by position; empty = none
  };
  [[nodiscard]] const Rule* longest_at(std::u32string_view rest) const noexcept;

  std::vector<Rule> rules_;
  std::unordered_map<char32_t, std::vector<std::uint32_t>> by_first_;  // of the pattern: indices of rules_
  // First characters of patterns and replacements, as far as they are in the basic plane.
  std::vector<bool> starts_;
  bool starts_beyond_ = false;
};

}  // namespace akin
