#include "morph/words/sentences.h"

#include <optional>

#include "morph/normalize/arrangement.h"
#include "morph/words/sentence_walk.h"
#include "morph/words/text_check.h"

namespace akin {
namespace {

struct RangeCollector {
  std::vector<TextRange> ranges;
  void on_words(const Window& /*window*/, std::size_t /*begin*/, std::size_t /*end*/) {}
  void on_part(const Piece& /*part*/, std::u32string_view /*letters*/) {}
  void on_slide(std::u32string_view /*letters*/, std::span<const QuickWord> /*words*/) {}
  void on_sentence(TextRange range) { ranges.push_back(range); }
};

}  // namespace

Result<std::vector<TextRange>> split_sentences(std::string_view utf8) {
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
