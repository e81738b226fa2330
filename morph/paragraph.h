// A window over one paragraph, as sentence and word rules see it: folded characters, one space for every run
// of white space, one spelling for every dash, quotation mark and apostrophe, and no trace of hyphenation but
// a flag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dict/fold.h"
#include "dict/folded_reader.h"

namespace akin {

/// Where a character of the window comes from and what it is.
struct Cell {
  std::uint32_t code_point_offset = 0, byte_offset = 0;
  std::uint16_t code_points = 0, bytes = 0;
  CharKind kind = CharKind::other;
  std::uint8_t scripts = kNoScript;
  bool zero_width = false;    ///< ignorable characters stood before it or inside it
  bool unmasked = false;      ///< begins a run of letters of which some were look-alikes of another script
  bool after_hyphen = false;  ///< a hyphen (and white space) between two letters was taken out before it
};

/// Reads a text paragraph by paragraph, each through a window that slides over it; memory does not grow with
/// the text.
///
/// A hyphen between two letters, also with white space after it, is taken out and the letter after it
/// flagged: it is decided later, and without regard to the white space, whether one word or two are meant. A
/// soft hyphen before white space counts as such a hyphen. Any other hyphen between spaces and any run of
/// hyphens is a dash. Look-alikes of another script are exchanged where a run of letters leaves no doubt
/// about its script, so that the boundary rule meets the words that are meant.
class Paragraph {
 public:
  explicit Paragraph(std::string_view utf8);

  /// Begins with the next paragraph that has a character; false at the end of the text.
  bool next();

  /// Reads on until the window holds `size` characters (or a few more) or the paragraph ends.
  void fill(std::size_t size);
  /// Drops the window's first `count` characters.
  void drop(std::size_t count);

  /// Whether the window reaches the paragraph's end.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] std::u32string_view letters() const noexcept { return {letters_.data(), size_}; }
  [[nodiscard]] const Cell& cell(std::size_t i) const noexcept { return cells_[i]; }
  [[nodiscard]] std::uint32_t code_points() const noexcept { return reader_.code_points(); }

 private:
  struct Pending {
    std::uint32_t hyphens = 0;
    bool soft_hyphen = false;  ///< one that may turn out to hyphenate
    bool after_space = false;  ///< the hyphens follow white space or begin the paragraph
    std::uint32_t spaces = 0, line_breaks = 0;
    Cell hyphen, space;  ///< the first of each
  };

  void take(const FoldedChar& c);
  void take_space(const FoldedChar& c);
  void take_hyphen(const FoldedChar& c);
  void take_mark(const FoldedChar& c);
  void take_apostrophe(const FoldedChar& c);
  /// Two in a row are a quotation mark.
  void put_apostrophe(const Cell& cell);
  /// Puts down what is pending before a character; true if a hyphen was taken out (the character is a letter
  /// then).
  bool settle_pending(bool before_letter);
  /// Reads letters and digits that need no care.
  void take_plain(std::size_t size);
  void push(char32_t letter, const Cell& cell);
  /// Ends the run of word characters that stands last in the window.
  void end_run();
  void end_paragraph();
  [[nodiscard]] const Cell& back() const noexcept { return cells_[size_ - 1]; }
  [[nodiscard]] bool nothing_pending() const noexcept {
    return pending_.hyphens == 0 && pending_.spaces == 0;
  }

  FoldedReader reader_;
  WordFolder folder_;
  std::vector<char32_t> letters_;  // the first size_ are the window
  std::vector<Cell> cells_;
  std::size_t size_ = 0;
  std::size_t run_begin_ = 0;  // of the run of letters, digits and marks that reaches the window's end
  std::uint8_t run_scripts_ = kNoScript;
  Pending pending_;
  bool after_carriage_return_ = false;
  bool last_is_letter_ = false;  // the window's last character is a letter, or a mark on one
  bool begun_ = false;           // a character of the paragraph was put down
  bool complete_ = true;
  bool at_end_ = false;
};

}  // namespace akin
