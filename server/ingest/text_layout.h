// Running text as a reader sees it, put together from the pieces that a markup leaves of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace akin::ingest {

/// Collects text: paragraphs parted by one blank line, white space collapsed, none at the ends. Markup knows
/// where a paragraph ends; akin's text rules take a blank line, and no other, for a sentence's certain end.
class TextLayout {
 public:
  /// Text in which runs of spaces, tabs and line ends mean one space.
  void flow(std::string_view utf8);
  /// Text that is taken as it is.
  void verbatim(std::string_view utf8);
  /// A line ends; the paragraph goes on. Two in a row are a blank line.
  void line_break();
  /// A paragraph ends, if one has begun.
  void border();

  /// What was collected up to a moment, so that what came after can be taken back.
  struct Mark {
    std::size_t size = 0;
    bool border = false;
  };
  [[nodiscard]] Mark mark() const noexcept { return {text_.size(), border_}; }
  /// Forgets what came after `mark`. Requires that text was guarded up to there since.
  void back_to(const Mark& mark);

  /// White space before `size` stays, though a border follows: an open mark stands there.
  void guard(std::size_t size) noexcept { guarded_ = size; }

  /// The text; nothing may be added after that.
  [[nodiscard]] std::string take() &&;

 private:
  void begin_piece();
  [[nodiscard]] bool at_line_begin() const noexcept { return text_.empty() || text_.back() == '\n'; }

  std::string text_;
  bool border_ = false;
  std::size_t guarded_ = 0;
};

}  // namespace akin::ingest
