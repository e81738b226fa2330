#include "morph/text/sentences.h"

#include "morph/text/sentence_walk.h"
#include "morph/text/text_check.h"

namespace akin {
namespace {

struct RangeCollector {
  std::vector<TextRange> ranges;
  void on_part(const Piece& /*part*/, std::u32string_view /*letters*/) {}
  void on_slide() {}
  void on_sentence(TextRange range) { ranges.push_back(range); }
};

}  // namespace

Result<std::vector<TextRange>> split_sentences(std::string_view utf8) {
  AKIN_CHECK(check_text(utf8));
  RangeCollector collector;
  SentenceWalk(utf8, collector).run();
  return std::move(collector.ranges);
}

}  // namespace akin
