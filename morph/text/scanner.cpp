#include "morph/text/scanner.h"

#include <optional>

#include "morph/schemes/sentence_makers.h"
#include "morph/text/arrangement.h"
#include "morph/text/sentence_walk.h"
#include "morph/text/text_check.h"

namespace akin {
namespace {

ScanSummary scan_as_it_is(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink) {
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

/// Passes sentences of an arranged copy on with the places that they have in the original.
class OriginalPlaces final : public SentenceSink {
 public:
  OriginalPlaces(const Arrangement& arrangement, SentenceSink& sink) : places_(arrangement), sink_(sink) {}

  [[nodiscard]] bool needs_words() const override { return sink_.needs_words(); }
  void on_sentence(const Sentence& sentence) override {
    words_.assign(sentence.words.begin(), sentence.words.end());
    for (Word& word : words_) {
      word.range = places_.original(word.range);
      word.source = places_.original(word.source);
    }
    sink_.on_sentence({places_.original(sentence.range), sentence.hash, words_});
  }

 private:
  Arrangement::Places places_;
  SentenceSink& sink_;
  std::vector<Word> words_;
};

}  // namespace

Result<ScanSummary> scan_text(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink) {
  AKIN_CHECK(check_text(utf8));
  const std::optional<Arrangement> arrangement = Arrangement::of(utf8);
  if (!arrangement) return scan_as_it_is(utf8, dictionary, sink);
  OriginalPlaces places(*arrangement, sink);
  ScanSummary summary = scan_as_it_is(arrangement->text(), dictionary, places);
  summary.code_points = arrangement->original_code_points();
  Arrangement::Places alert_places(*arrangement);
  for (Alert& alert : summary.alerts) alert.range = alert_places.original(alert.range);
  return summary;
}

}  // namespace akin
