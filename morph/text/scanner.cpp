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
  const auto walk = [&](auto maker) { summary.code_points = SentenceWalk(utf8, maker).run(); };
  switch (sink.needs()) {
    case SentenceDetail::sums:
      walk(SumMaker(dictionary, dictionary, sink, summary));
      break;
    case SentenceDetail::classes:
      walk(ClassesMaker(dictionary, sink, summary));
      break;
    case SentenceDetail::words:
      walk(WordsMaker(utf8, dictionary, sink, summary));
      break;
  }
  return summary;
}

/// Passes sentences of an arranged copy on with the places that they have in the original.
class OriginalPlaces final : public SentenceSink {
 public:
  OriginalPlaces(const Arrangement& arrangement, SentenceSink& sink)
      : of_sentences_(arrangement), of_classes_(arrangement), of_words_(arrangement), sink_(sink) {}

  [[nodiscard]] SentenceDetail needs() const override { return sink_.needs(); }
  void on_sentence(const Sentence& sentence) override {
    classes_.assign(sentence.classes.begin(), sentence.classes.end());
    for (PlacedClass& word : classes_) {
      word.range = of_classes_.original(word.range);
      word.bytes = of_classes_.original_bytes(word.bytes);
    }
    words_.assign(sentence.words.begin(), sentence.words.end());
    for (Word& word : words_) {
      word.range = of_words_.original(word.range);
      word.source = of_words_.original(word.source);
    }
    sink_.on_sentence({of_sentences_.original(sentence.range), sentence.hash, classes_, words_});
  }

 private:
  Arrangement::Places of_sentences_, of_classes_, of_words_;
  SentenceSink& sink_;
  std::vector<PlacedClass> classes_;
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
