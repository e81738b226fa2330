// Walks over a text's sentences and the parts of their words: the loop of scan_text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/text_range.h"
#include "base/waiting.h"
#include "morph/sentences/boundary.h"
#include "morph/words/paragraph.h"
#include "morph/words/scanner.h"

namespace akin {

/// `Receiver` has
/// - on_words(const Window&, std::size_t begin, std::size_t end): plain words of the window;
/// - on_part(const Piece& part, std::u32string_view letters);
/// - on_sentence(TextRange), called after the words and parts of a sentence that has at least one;
/// - on_slide(std::u32string_view letters, std::span<const QuickWord>), called before letters that were given
///   are overwritten, with the plain words given since the last call.
/// A part before a hyphen and the part after it always belong to one sentence.
template <class Receiver>
class SentenceWalk {
 public:
  SentenceWalk(std::string_view utf8, Receiver& receiver) : paragraph_(utf8), receiver_(receiver) {}

  /// Walks the whole text; returns its length in code points.
  std::uint64_t run() {
    while (!stop_of_work().stop_requested() && paragraph_.next()) {
      next_ = next_word_ = given_ = 0;
      begin_sentence();
      while (slide()) walk();
      close_sentence();
      report_words();
    }
    return paragraph_.code_points();
  }

 private:
  /// How much must be known beyond a character to decide about it: a whole word, or the boundary rule's
  /// window.
  static constexpr std::size_t kAhead = std::max(kMaxWordLetters, kBoundaryWindow) + 1;
  static constexpr std::size_t kBehind = kBoundaryWindow + 1;
  static constexpr std::size_t kStep = 2048;

  /// Moves the window so that pieces that begin before limit_ can be decided; false at the paragraph's end.
  bool slide() {
    report_words();
    const Window& window = paragraph_.window();
    std::size_t done = window.size();
    if (next_ < window.piece_count()) done = window.piece(next_).begin;
    if (next_word_ < window.words().size())
      done = std::min<std::size_t>(done, window.words()[next_word_].begin);
    if (done > kBehind) {
      const std::size_t gone = done - kBehind;
      paragraph_.drop(gone, next_word_, next_);
      next_ = next_word_ = given_ = 0;
      done = kBehind;
      if (end_ != 0) end_ -= gone;
    }
    paragraph_.fill(done + kStep + kAhead);
    limit_ = paragraph_.complete() ? window.size() : window.size() - kAhead;
    return next_ < window.piece_count() || next_word_ < window.words().size();
  }

  void report_words() {
    const Window& window = paragraph_.window();
    receiver_.on_slide(window.letters(), window.words().subspan(given_, next_word_ - given_));
    given_ = next_word_;
  }

  void walk() {
    const Window& window = paragraph_.window();
    for (;; ++next_) {
      const bool is_last = next_ == window.piece_count();
      take_words(is_last ? window.words().size() : window.piece(next_).words);
      if (is_last || window.piece(next_).begin >= limit_) return;
      const Piece& piece = window.piece(next_);
      if (piece.part) {
        take_part(piece);
      } else {
        take_mark(piece);
      }
      if (end_ != 0 && piece.end >= end_) close_sentence();
    }
  }

  /// Takes plain words up to `end` that begin before limit_.
  void take_words(std::size_t end) {
    const auto words = paragraph_.window().words();
    while (end > next_word_ && words[end - 1].begin >= limit_) --end;
    while (next_word_ < end) {
      if (end_ == 0) {
        give_words(std::min(end, next_word_ + kMaxSentenceWords - parts_));
      } else {
        give_words(next_word_ + 1);
        if (end_ != 0 && words[next_word_ - 1].begin + words[next_word_ - 1].size >= end_) close_sentence();
      }
    }
  }

  void give_words(std::size_t end) {
    const auto places = paragraph_.window().places();
    see({places[next_word_].code_point, places[end - 1].range().end});
    receiver_.on_words(paragraph_.window(), next_word_, end);
    parts_ += end - next_word_;
    next_word_ = end;
    if (parts_ >= kMaxSentenceWords) close_sentence();
  }

  void take_mark(const Piece& mark) {
    see(mark.range);
    if (end_ != 0 || mark.kind != CharKind::other) return;
    const std::u32string_view letters = paragraph_.window().letters();
    const std::size_t at = mark.begin;
    if (!is_terminator(letters[at])) return;
    const std::size_t from = at > kBoundaryWindow ? at - kBoundaryWindow : 0;
    const auto end = sentence_end(letters.substr(from, at - from + kBoundaryWindow + 1), at - from);
    if (end) end_ = from + *end;
  }

  void take_part(const Piece& part) {
    see(part.range);
    receiver_.on_part(part, paragraph_.window().letters().substr(part.begin, part.end - part.begin));
    if (++parts_ >= kMaxSentenceWords && !part.before_hyphen) close_sentence();
  }

  /// Adds what was taken to the sentence's range.
  void see(TextRange range) {
    if (!begun_) range_.begin = range.begin;
    begun_ = true;
    range_.end = range.end;
  }

  void begin_sentence() {
    end_ = 0;
    parts_ = 0;
    begun_ = false;
  }

  void close_sentence() {
    if (parts_ > 0) receiver_.on_sentence(range_);
    begin_sentence();
  }

  Paragraph paragraph_;
  Receiver& receiver_;
  std::size_t next_ = 0, next_word_ = 0;  ///< the first undecided piece and plain word
  std::size_t given_ = 0;                 ///< plain words that on_slide had
  std::size_t limit_ = 0;                 ///< in the window's letters
  std::size_t end_ = 0;                   ///< where the sentence ends, once known; else 0
  std::size_t parts_ = 0;
  bool begun_ = false;
  TextRange range_;
};

}  // namespace akin
