// Words and marks around a character, as the sentence rule sees them.
#pragma once

#include <unicode/uchar.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace akin {

[[nodiscard]] inline bool is_boundary_space(char32_t c) {
  if (c < 0x80) return c == U' ' || (c >= 9 && c <= 13);
  if (c < 0x1680) return c == 0x85 || c == 0xa0;
  return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

[[nodiscard]] inline bool is_boundary_digit(char32_t c) {
  if (c < 0x660) return c >= U'0' && c <= U'9';
  return u_isdigit(static_cast<UChar32>(c)) != 0;
}

/// Letters, digits and the marks on them.
[[nodiscard]] inline bool is_boundary_word(char32_t c) {
  if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z');
  if (c >= 0x400 && c <= 0x45f) return true;
  if (c >= 0xc0 && c <= 0x24f) return c != 0xd7 && c != 0xf7;
  if (c >= 0x300 && c <= 0x36f) return true;
  return u_isalnum(static_cast<UChar32>(c)) != 0;
}

/// A quotation mark of any shape: opening and closing marks are not distinguished.
[[nodiscard]] inline bool is_quote(char32_t c) {
  if (c < 0x80) return c == U'"' || c == U'\'' || c == U'`';
  if (c < 0x2018) return c == U'\u00ab' || c == U'\u00bb' || c == U'\u00b4';
  return c <= 0x201f || c == 0x2033 || c == 0x2039 || c == 0x203a || (c >= 0x300c && c <= 0x300f);
}

[[nodiscard]] inline bool is_opening_bracket(char32_t c) { return c == U'(' || c == U'[' || c == U'{'; }
[[nodiscard]] inline bool is_closing_bracket(char32_t c) { return c == U')' || c == U']' || c == U'}'; }

/// Asterisk and daggers.
[[nodiscard]] inline bool is_note_sign(char32_t c) { return c == U'*' || c == U'\u2020' || c == U'\u2021'; }

/// Does not include the hyphen.
[[nodiscard]] inline bool is_dash(char32_t c) { return c >= 0x2012 && (c <= 0x2015 || c == 0x2212); }

[[nodiscard]] inline bool is_emoji(char32_t c) {
  if (c < 0x200d) return false;
  return c == 0x200d || c == 0x20e3 || (c >= 0x2600 && c <= 0x27bf) || c == 0x2b50 || c == 0xfe0f ||
         (c >= 0x1f000 && c <= 0x1faff);
}

[[nodiscard]] inline bool is_cyrillic(char32_t c) { return c >= 0x400 && c < 0x530; }

/// Part of a block, which is all that the rule sees. Positions are indices into it.
class Neighbourhood {
 public:
  explicit Neighbourhood(std::u32string_view block) : block_(block) {}

  [[nodiscard]] char32_t operator[](std::size_t i) const { return block_[i]; }
  [[nodiscard]] std::size_t size() const { return block_.size(); }
  [[nodiscard]] std::u32string_view slice(std::size_t begin, std::size_t end) const {
    return block_.substr(begin, end - begin);
  }

  [[nodiscard]] std::size_t skip_space(
      std::size_t at) const;  ///< first non-space at or after `at`, or size()
  [[nodiscard]] std::size_t skip_space_back(
      std::size_t at) const;  ///< one past the last non-space before `at`, or 0

  /// Whether there is a dash here: a dash character, two hyphens, or a hyphen before white space.
  [[nodiscard]] bool dash_at(std::size_t at) const;

  /// The start of the word that ends before `end`; `end` itself if there is none. Hyphens and apostrophes
  /// between letters belong to a word.
  [[nodiscard]] std::size_t word_begin(std::size_t end) const;

  /// The next word after white space, opening marks and dashes.
  struct Next {
    std::size_t begin = 0, end = 0;  ///< equal if something other than a word comes
    bool dash = false;               ///< a dash precedes it
  };
  [[nodiscard]] Next next_word(std::size_t at) const;

  /// The bracket that a closing bracket at `at` would close, if it is within the neighbourhood.
  [[nodiscard]] std::optional<std::size_t> opener(std::size_t at) const;

  /// The end of a smiley such as ":)" or "))" at `at`; `at` if there is none.
  [[nodiscard]] std::size_t smiley_end(std::size_t at) const;

  /// The number of words between the sentence's start, or a full stop, and `at`; at most `limit`.
  [[nodiscard]] std::size_t words_before(std::size_t at, std::size_t limit) const;

 private:
  std::u32string_view block_;
};

}  // namespace akin
