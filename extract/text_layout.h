// Running text as a reader sees it, assembled from the pieces between markup.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace akin::extract {

/// White space between the words of HTML and XML.
[[nodiscard]] constexpr bool is_markup_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/// As much of well-formed UTF-8 as fits into `most` bytes.
[[nodiscard]] std::string_view whole_characters(std::string_view utf8, std::size_t most) noexcept;

/// Whether raised letters after a text refer to a note: up to three digits, or marks such as * and †, in
/// brackets or not, after a mark or a word of three letters. So powers (10³, m², x²) are none.
[[nodiscard]] bool is_note_mark(std::string_view before, std::string_view raised);

/// Whether a text above a word (ruby) may say how the word is read. A longer text does not, nor one above
/// nothing.
[[nodiscard]] bool is_reading(std::string_view word, std::string_view above);

/// Collects text: paragraphs separated by one blank line, white space collapsed, none at either end. Markup
/// determines where a paragraph ends; akin's text rules treat only a blank line as the certain end of a
/// sentence. Lines that are set off, as block quotations are, begin with four spaces, as in plain texts.
class TextLayout {
 public:
  /// Adds text in which runs of spaces, tabs and line ends mean one space.
  void flow(std::string_view utf8);
  /// Adds text unchanged.
  void verbatim(std::string_view utf8);
  /// Ends a line, but not the paragraph. Two in a row are a blank line.
  void line_break();
  /// Ends the paragraph, if one has begun.
  void border();
  /// Whether the lines that begin from here on in `flow` are set off; those at the very beginning never are.
  void set_off(bool on) noexcept { set_off_ = on; }

  /// A position in the collected text, to which it can be cut back.
  struct Mark {
    std::size_t size = 0;
    bool border = false;
  };
  [[nodiscard]] Mark mark() const noexcept { return {text_.size(), border_}; }
  /// Removes everything after `mark`. Requires that the text was guarded up to there since.
  void back_to(const Mark& mark);

  /// What is collected. The view lives until something is added.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// Keeps white space before `size` even if a border follows, because of an open mark there.
  void guard(std::size_t size) noexcept { guarded_ = size; }

  /// Returns the text; nothing may be added afterwards.
  [[nodiscard]] std::string take() &&;

 private:
  void begin_piece();
  [[nodiscard]] bool at_line_begin() const noexcept { return text_.empty() || text_.back() == '\n'; }

  std::string text_;
  bool border_ = false, set_off_ = false;
  std::size_t guarded_ = 0;
};

}  // namespace akin::extract
