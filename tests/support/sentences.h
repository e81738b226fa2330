// The sentences of a text, by the loop that the scanner has.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text_range.h"
#include "morph/normalize/arrangement.h"
#include "morph/words/sentence_walk.h"
#include "morph/words/text_check.h"

namespace akin {

struct RangeCollector {
  std::vector<TextRange> ranges;
  void on_words(const Window& /*window*/, std::size_t /*begin*/, std::size_t /*end*/) {}
  void on_part(const Piece& /*part*/, std::u32string_view /*letters*/) {}
  void on_slide(std::u32string_view /*letters*/, std::span<const QuickWord> /*words*/) {}
  void on_sentence(TextRange range) { ranges.push_back(range); }
};

/// Ranges of the sentences of a text that have at least one word, in order; needs no dictionary. Errors as in
/// scan_text.
[[nodiscard]] inline Result<std::vector<TextRange>> split_sentences(std::string_view utf8) {
  AKIN_CHECK(check_text(utf8));
  RangeCollector collector;
  const std::optional<Arrangement> arrangement = Arrangement::of(utf8);
  SentenceWalk(arrangement ? arrangement->text() : utf8, collector).run();
  if (arrangement) {
    Arrangement::Places places(*arrangement);
    for (TextRange& range : collector.ranges) range = places.original(range);
  }
  return std::move(collector.ranges);
}

}  // namespace akin
