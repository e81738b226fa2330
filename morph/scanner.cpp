#include "morph/scanner.h"

#include "morph/sentence_walk.h"
#include "morph/text_check.h"
#include "morph/word_collector.h"

namespace akin {

Result<ScanSummary> scan_text(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink) {
  AKIN_CHECK(check_text(utf8));
  ScanSummary summary;
  WordCollector collector(utf8, dictionary, sink, summary);
  summary.code_points = SentenceWalk(utf8, collector).run();
  return summary;
}

}  // namespace akin
