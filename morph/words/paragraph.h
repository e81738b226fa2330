// A window over one paragraph, as the sentence and word rules see it: folded characters, one space for every
// run of white space, one spelling for every dash, quotation mark and apostrophe, and no trace of hyphenation
// except a flag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dict/fold/fold.h"
#include "dict/fold/folded_reader.h"
#include "morph/words/plain_reader.h"
#include "morph/words/window.h"

namespace akin {

/// Reads a text paragraph by paragraph, each through a sliding window; memory does not grow with the text.
/// PlainReader reads the simple parts, this class reads the rest, character by character.
///
/// A hyphen between two letters, also with white space after it, is removed and the parts on both sides are
/// flagged: whether one word or two are meant is decided later, regardless of the white space. A soft hyphen
/// before white space counts as such a hyphen. Any other hyphen between spaces and any run of hyphens is a
/// dash. Look-alikes of another script are exchanged if a run of letters leaves no doubt about its script, so
/// that the boundary rule sees the words that are meant.
///
/// The last part of the window, and the mark before it, may still change while the window grows.
class Paragraph {
 public:
  explicit Paragraph(std::string_view utf8);

  /// Begins with the next paragraph that has a character; false at the end of the text.
  bool next();

  /// Reads until the window holds `size` letters (or a few more) or the paragraph ends.
  void fill(std::size_t size);
  /// Like Window::drop.
  void drop(std::size_t letters, std::size_t words, std::size_t pieces);

  /// Whether the window reaches the paragraph's end.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] const Window& window() const noexcept { return window_; }
  [[nodiscard]] std::uint32_t code_points() const noexcept { return reader_.code_points(); }

 private:
  struct Pending {
    std::uint32_t hyphens = 0;
    bool soft_hyphen = false;  ///< one that may turn out to hyphenate
    bool after_space = false;  ///< the hyphens follow white space or begin the paragraph
    std::uint32_t spaces = 0, line_breaks = 0;
    FoldedChar hyphen, space;  ///< the first of each
    /// Whether the hyphens are a dash whatever comes next.
    [[nodiscard]] bool is_dash() const noexcept { return hyphens > 1 || (after_space && spaces > 0); }
  };

  /// Reads with PlainReader, if a simple stretch may begin here.
  void read_plain(std::size_t size);
  void take(const FoldedChar& c);
  void take_space(const FoldedChar& c);
  /// Whether a blank line here does not end the paragraph: goes_on_past_blank_line, or two hyphens, or one
  /// after white space.
  [[nodiscard]] bool goes_on() const;
  void take_hyphen(const FoldedChar& c);
  void take_mark(const FoldedChar& c);
  /// Two in a row make a quotation mark.
  void put_apostrophe(const FoldedChar& c);
  /// Adds the pending characters before a character; true if a hyphen was removed (the character is then a
  /// letter).
  bool settle_pending(bool before_letter);
  void push_space();
  void push(const FoldedChar& c, bool after_hyphen = false);
  /// Adds a character at the window's end to the part before it, or begins a piece.
  void add_to_pieces(const FoldedChar& c, std::uint32_t at, bool after_hyphen);
  /// The last piece if it is a part that reaches to `at`.
  [[nodiscard]] Piece* part_before(std::size_t at);
  /// Whether a plain word that ends with a letter reaches to `at`, as before a spacing acute accent.
  [[nodiscard]] bool follows_plain_word(std::size_t at) const;
  /// Makes an apostrophe between two letters one of the part's characters.
  void absorb_apostrophe(std::uint32_t letter_at);
  /// Ends the run of word characters at the window's end.
  void end_run();
  void end_paragraph();
  [[nodiscard]] bool nothing_pending() const noexcept {
    return pending_.hyphens == 0 && pending_.spaces == 0;
  }

  FoldedReader reader_;
  PlainReader plain_;
  WordFolder folder_;
  Window window_;
  std::size_t run_begin_ = 0;  // of the run of letters, digits and marks that reaches the window's end
  std::uint8_t run_scripts_ = kNoScript;
  Pending pending_;
  bool hyphen_is_soft_ = false;           ///< of the last hyphen that was removed between letters
  CharKind last_kind_ = CharKind::other;  // of the character added last
  bool after_carriage_return_ = false;
  bool last_is_letter_ = false;  // the window's last character is a letter, or a mark on one
  bool begun_ = false;           // a character of the paragraph was added
  bool complete_ = true;
  bool at_end_ = false;
};

}  // namespace akin
