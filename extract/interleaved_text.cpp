#include "extract/interleaved_text.h"

#include <unicode/uchar.h>

#include <utility>

#include "base/utf8.h"
#include "extract/document.h"
#include "extract/text_layout.h"

namespace akin::extract {

void InterleavedText::take(std::size_t look, std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size(); ++place_) {
    const auto c = static_cast<UChar32>(next_code_point(utf8, at));
    if (u_isalpha(c) == 0) {
      end_word();
      marked_ = marked_ || u_isUWhiteSpace(c) == 0;
    } else if (++letters_ == 1) {
      look_ = look;
      word_begin_ = place_;
      mixed_ = false;
    } else {
      mixed_ = mixed_ || look != look_;
    }
  }
  if (paragraph_.size() < kSampleBytes) paragraph_ += utf8.substr(0, kSampleBytes);
}

void InterleavedText::end_word() {
  if (std::exchange(letters_, 0) < 2 || mixed_) return;
  if (turn_.words > 0 && turn_.look != look_) end_turn();
  if (turn_.words++ == 0) turn_ = {look_, 1, word_begin_, marked_};
  marked_ = false;
}

void InterleavedText::end_line() {
  end_word();
  marked_ = true;
  ++place_;
}

void InterleavedText::end_paragraph() {
  end_word();
  if (turn_.words > 0) end_turn();
  end_chain();
  place_ = 0;
  marked_ = false;
  paragraph_.clear();
}

void InterleavedText::end_turn() {
  constexpr std::size_t kMostWords = 6;
  if (turn_.words > kMostWords) {
    end_chain();
  } else {
    // One of both sides keeps its look.
    if (turns_ > 1 && turn_.look != looks_[turns_ % 2] && !constant_[1 - turns_ % 2]) end_chain();
    const std::size_t side = turns_ % 2;
    if (turns_ == 0) begin_ = turn_.begin;
    if (turns_ < 2) looks_[side] = turn_.look;
    constant_[side] = turns_ < 2 || (constant_[side] && looks_[side] == turn_.look);
    ++turns_;
    words_ += turn_.words;
    after_marks_ += turn_.is_after_mark ? 1 : 0;
  }
  turn_ = {};
}

/// The turn that follows the chain begins at the present place.
void InterleavedText::end_chain() {
  constexpr std::size_t kLeastTurns = 12;
  constexpr double kMostWordsOfTurn = 2.6, kMostAfterMarks = 0.3;
  const std::size_t end = turn_.words > 0 ? turn_.begin : place_;
  const auto turns = static_cast<double>(turns_);
  if (turns_ >= kLeastTurns && static_cast<double>(words_) <= kMostWordsOfTurn * turns &&
      static_cast<double>(after_marks_) <= kMostAfterMarks * turns) {
    characters_ += end - begin_;
    if (sample_.empty()) sample_ = whole_characters(paragraph_, kSampleBytes);
  }
  turns_ = words_ = after_marks_ = 0;
}

}  // namespace akin::extract
