// Walks over a text's sentences and the parts of their words. The one loop behind scan_text and
// split_sentences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text_range.h"
#include "morph/boundary.h"
#include "morph/paragraph.h"
#include "morph/scanner.h"

namespace akin {

/// A run of word characters without a hyphen. The view dies with the callback.
struct WordPart {
  std::u32string_view letters;  ///< folded one by one
  std::uint8_t scripts = kNoScript;
  bool zero_width = false;
  bool unmasked = false;       ///< look-alikes of another script were exchanged
  bool after_hyphen = false;   ///< the part before may belong to the same word
  bool before_hyphen = false;  ///< the part that follows may
  TextRange range;
  std::uint32_t byte_begin = 0, byte_end = 0;
};

/// `Receiver` has on_part(const WordPart&) and on_sentence(TextRange); on_sentence follows the parts of a
/// sentence that has at least one. A part before a hyphen and the part after it are always of one sentence.
template <class Receiver>
class SentenceWalk {
 public:
  SentenceWalk(std::string_view utf8, Receiver& receiver) : paragraph_(utf8), receiver_(receiver) {}

  /// Walks the whole text; returns its length in code points.
  std::uint64_t run() {
    while (paragraph_.next()) {
      at_ = 0;
      begin_sentence();
      while (slide()) walk();
      close_sentence();
    }
    return paragraph_.code_points();
  }

 private:
  /// What must be known beyond a character to decide about it: a whole word, or the boundary rule's window.
  static constexpr std::size_t kAhead = std::max(kMaxWordLetters, kBoundaryWindow) + 1;
  static constexpr std::size_t kBehind = kBoundaryWindow + 1;
  static constexpr std::size_t kStep = 1024;

  /// Moves the window so that characters from at_ up to limit_ can be decided; false at the paragraph's end.
  bool slide() {
    if (at_ > kBehind + kStep) {
      const std::size_t gone = at_ - kBehind;
      paragraph_.drop(gone);
      at_ -= gone;
      if (end_ != 0) end_ -= gone;
    }
    paragraph_.fill(at_ + kStep + kAhead);
    const std::size_t size = paragraph_.letters().size();
    limit_ = paragraph_.complete() ? size : size - kAhead;
    return at_ < limit_;
  }

  void walk() {
    while (at_ < limit_) {
      const Cell& cell = paragraph_.cell(at_);
      switch (cell.kind) {
        case CharKind::letter:
        case CharKind::digit:
        case CharKind::solo:
          take_part();
          break;
        case CharKind::space:
          ++at_;
          break;
        default:
          take_mark(cell);
      }
      if (end_ != 0 && at_ >= end_) close_sentence();
    }
  }

  void take_mark(const Cell& cell) {
    see(cell);
    if (end_ == 0 && cell.kind == CharKind::other) {
      const std::u32string_view letters = paragraph_.letters();
      if (is_terminator(letters[at_])) {
        const std::size_t from = at_ > kBoundaryWindow ? at_ - kBoundaryWindow : 0;
        const auto end = sentence_end(letters.substr(from, at_ - from + kBoundaryWindow + 1), at_ - from);
        if (end) end_ = from + *end;
      }
    }
    ++at_;
  }

  void take_part() {
    const std::u32string_view letters = paragraph_.letters();
    const std::size_t begin = at_;
    const Cell& first = paragraph_.cell(begin);
    WordPart part;
    part.scripts = first.scripts;
    part.unmasked = first.unmasked;
    part.after_hyphen = first.after_hyphen && joinable_;
    bool on_letter = first.kind == CharKind::letter;
    std::size_t i = begin + 1;
    const std::size_t stop = std::min(letters.size(), begin + kMaxWordLetters);
    for (; i < stop; ++i) {
      const Cell& c = paragraph_.cell(i);
      if (c.kind == CharKind::letter) {
        if (c.after_hyphen || first.kind == CharKind::solo) break;
        on_letter = true;
      } else if (c.kind == CharKind::digit) {
        if (first.kind == CharKind::solo) break;
        on_letter = false;
      } else if (c.kind == CharKind::apostrophe) {
        if (!on_letter || i + 1 >= letters.size()) break;
        const Cell& after = paragraph_.cell(i + 1);
        if (after.kind != CharKind::letter || after.after_hyphen) break;
      } else if (c.kind != CharKind::mark) {
        break;
      }
      part.scripts |= c.scripts;
      part.zero_width = part.zero_width || c.zero_width;
      part.unmasked = part.unmasked || c.unmasked;
    }
    const Cell& last = paragraph_.cell(i - 1);
    part.letters = letters.substr(begin, i - begin);
    part.range = {first.code_point_offset, last.code_point_offset + last.code_points};
    part.byte_begin = first.byte_offset;
    part.byte_end = last.byte_offset + last.bytes;
    part.before_hyphen = on_letter && i < letters.size() && paragraph_.cell(i).after_hyphen;
    joinable_ = part.before_hyphen;
    see(first);
    end_of_last_ = part.range.end;
    at_ = i;
    receiver_.on_part(part);
    if (++parts_ >= kMaxSentenceWords && !part.before_hyphen) close_sentence();
  }

  /// Counts a character that is not white space to the sentence's range.
  void see(const Cell& cell) {
    if (!begun_) range_begin_ = cell.code_point_offset;
    begun_ = true;
    end_of_last_ = cell.code_point_offset + cell.code_points;
  }

  void begin_sentence() {
    end_ = 0;
    parts_ = 0;
    begun_ = false;
    joinable_ = false;
  }

  void close_sentence() {
    if (parts_ > 0) receiver_.on_sentence({range_begin_, end_of_last_});
    begin_sentence();
  }

  Paragraph paragraph_;
  Receiver& receiver_;
  std::size_t at_ = 0, limit_ = 0;
  std::size_t end_ = 0;  ///< where the sentence ends, once that is known; else 0
  std::size_t parts_ = 0;
  bool joinable_ = false;  ///< the last part stands before a hyphen
  bool begun_ = false;
  std::uint32_t range_begin_ = 0, end_of_last_ = 0;
};

}  // namespace akin
