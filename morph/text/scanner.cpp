#include "morph/text/scanner.h"

#include "morph/schemes/sentence_makers.h"
#include "morph/text/sentence_walk.h"
#include "morph/text/text_check.h"

namespace akin {

Result<ScanSummary> scan_text(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink) {
  AKIN_CHECK(check_text(utf8));
  ScanSummary summary;
  if (sink.needs_words()) {
    WordsMaker maker(utf8, dictionary, sink, summary);
    summary.code_points = SentenceWalk(utf8, maker).run();
  } else {
    SumMaker maker(dictionary, dictionary, sink, summary);
    summary.code_points = SentenceWalk(utf8, maker).run();
  }
  return summary;
}

}  // namespace akin
